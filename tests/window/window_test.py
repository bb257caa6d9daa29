#!/usr/bin/env python3
"""Drives the real window with real key presses and a real mouse, on a separate display.

usage: window_test.py UPSWEEP

Checks the state that the window writes (--state-file) and the pixels on the screen. Exit code 77 means that xdotool,
Xvfb or a screen grabber is missing.
"""
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

PATIENCE = 15.0  # the longest wait for any change, in seconds
QUIET = (5, 5)  # a position at which the mouse points at nothing


class Display:
    """An X server on which only the window runs."""

    def __init__(self, size):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp"],
            pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        number = b""
        while not number.endswith(b"\n"):
            byte = os.read(read, 1)
            if not byte:
                raise RuntimeError("Xvfb did not start.")
            number += byte
        os.close(read)
        # The learner's files are in a temporary folder, so that the test does not change the user's files.
        self.own = tempfile.TemporaryDirectory()
        self.environment = {**os.environ, "DISPLAY": f":{number.decode().strip()}", "XDG_DATA_HOME": self.own.name,
                            "LC_ALL": "C.UTF-8"}
        self.environment.pop("WAYLAND_DISPLAY", None)

    def screen(self):
        grab = ["xwd", "-root", "-silent"] if shutil.which("xwd") else ["import", "-window", "root", "rgb:-"]
        return subprocess.run(grab, env=self.environment, check=True, stdout=subprocess.PIPE).stdout

    def do(self, *arguments):
        subprocess.run(["xdotool", *map(str, arguments)], env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def close(self):
        self.server.terminate()
        self.server.wait()
        self.own.cleanup()


class Window:
    def __init__(self, display, *arguments, saves_to=None):
        self.display = display
        self.folder = tempfile.TemporaryDirectory()
        self.state_file = os.path.join(self.folder.name, "state")
        self.process = subprocess.Popen([PROGRAM, "--state-file", self.state_file, *arguments], env=display.environment,
                                        cwd=saves_to)
        self.until(lambda s: True, "the window opens")
        display.do("search", "--sync", "--onlyvisible", "--name", "Upsweep", "windowfocus")

    def state(self):
        try:
            with open(self.state_file) as file:
                lines = [line for line in file.read().split("\n")[:-1]]
            return json.loads(lines[-1]) if lines else None
        except FileNotFoundError:
            return None

    def until(self, condition, what):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            state = self.state()
            if state is not None and condition(state):
                return state
            if self.process.poll() is not None:
                raise AssertionError(f"The window closed with {self.process.returncode} while waiting until {what}.")
            time.sleep(0.02)
        raise AssertionError(f"Waited in vain until {what}; the window says {self.state()}")

    def key(self, *keys):
        self.display.do("key", "--delay", "2", *keys)

    def move(self, point):
        self.display.do("mousemove", round(point[0]), round(point[1]))

    def place(self, name, across=0.5, down=0.5):
        state = self.until(lambda s: name in s["places"], f"{name} is there")
        x, y, w, h = state["places"][name]
        return x + w * across, y + h * down

    def click(self, name, across=0.5, down=0.5):
        self.move(self.place(name, across, down))
        self.display.do("click", 1)

    def choose(self, field, row):
        self.click(field)
        self.click(row)
        self.until(lambda s: not s["keyboard"], "the list is closed")

    def type(self, text):
        self.until(lambda s: s["keyboard"], "a field takes the keyboard")
        self.display.do("type", "--delay", "20", text)
        self.key("Return")
        self.until(lambda s: not s["keyboard"], "the field has taken what was typed")

    def rest(self):
        self.move(QUIET)
        self.until(lambda s: s["hover"] == 0, "nothing is pointed at")

    def settled_screen(self):
        end = time.monotonic() + PATIENCE
        before = self.display.screen()
        while time.monotonic() < end:
            time.sleep(0.15)
            now = self.display.screen()
            if now == before:
                return now
            before = now
        raise AssertionError("The screen never comes to rest.")

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.folder.cleanup()


class WindowTest(unittest.TestCase):
    def setUp(self):
        self.display = Display("1280x720")
        self.addCleanup(self.display.close)
        self.w = Window(self.display, "scan_blelloch")
        self.addCleanup(self.w.close)

    def test_a_lesson(self):
        w = self.w
        w.rest()
        self.stepping()
        self.scrubbing()
        self.choosing()
        self.blocks()
        self.typing()
        self.pointing()
        self.looking()
        self.idling()
        w.key("ctrl+q")
        self.assertEqual(w.process.wait(PATIENCE), 0)

    def test_a_presentation(self):
        w = self.w
        w.key("Right", "Right", "Right")
        w.until(lambda s: s["step"] == 3, "stride 4 is shown")
        w.rest()
        usual = w.settled_screen()
        w.key("p")
        w.until(lambda s: s["presentation"], "the presentation begins")
        plain = w.settled_screen()
        self.assertNotEqual(plain, usual)
        self.assertNotIn("button Pen", " ".join(w.state()["places"]), "the controls are hidden until the mouse moves")

        w.key("period")
        w.until(lambda s: s["black"], "the screen is black")
        black = w.settled_screen()
        self.assertGreater(black.count(b"\0"), 0.99 * len(black) - 4096)
        w.key("Right")
        w.until(lambda s: not s["black"], "any key shows the picture again")
        self.assertEqual(w.state()["step"], 3, "and does nothing else")
        self.assertEqual(w.settled_screen(), plain)

        w.move((640, 300))
        w.until(lambda s: any(p.startswith("button Draw with the mouse") for p in s["places"]), "the controls appear")
        time.sleep(4)
        w.until(lambda s: not any(p.startswith("button Draw with the mouse") for p in s["places"]), "the controls disappear")
        ring = w.settled_screen()
        self.assertNotEqual(ring, plain, "a ring is around the mouse")

        w.key("shift+p")
        w.until(lambda s: s["pen"], "the pen is on")
        time.sleep(0.3)
        pen = w.settled_screen()
        self.display.do("mousedown", 1)
        for x in range(640, 800, 20):
            w.move((x, 300 + x % 40))
            time.sleep(0.03)
        self.display.do("mouseup", 1)
        w.move((640, 300))
        time.sleep(4)
        drawn = w.settled_screen()
        self.assertNotEqual(drawn, pen, "the pen draws")
        w.key("Right")
        w.until(lambda s: s["step"] == 4, "the next step is shown")
        w.key("Left")
        w.until(lambda s: s["step"] == 3, "the step is shown again")
        self.assertEqual(w.settled_screen(), drawn, "with what was drawn on it")
        w.key("Escape")
        self.assertEqual(w.settled_screen(), pen, "Esc wipes")
        self.assertTrue(w.state()["pen"])
        w.key("Escape")
        w.until(lambda s: not s["pen"] and s["presentation"], "Esc ends the pen")
        self.assertEqual(w.settled_screen(), ring)

        w.key("alt+1")
        state = w.until(lambda s: "view large 3" in s["places"], "a third view is added")
        boxes = [state["places"][name] for name in ("view large", "view large 2", "view large 3")]
        self.assertTrue(all(0 <= b[0] and b[0] + b[2] <= 1281 and b[3] > 60 for b in boxes), boxes)
        w.key("1")
        w.until(lambda s: s["view"] == "tree" and "view large 2" not in s["places"], "one view alone")
        w.key("1")
        w.until(lambda s: s["view"] == "", "the usual views")

        w.key("ctrl+p")
        w.until(lambda s: "notes" in s["places"] and s["notes"] == 1, "the notes open in a window of their own")
        self.display.do("search", "--sync", "--onlyvisible", "--name", "Upsweep: notes", "windowfocus")
        w.key("Right")
        w.until(lambda s: s["step"] == 4, "keys in the notes move the presentation")
        w.key("ctrl+p")
        w.until(lambda s: "notes" not in s["places"], "the notes are closed")
        self.display.do("search", "--sync", "--onlyvisible", "--name", "Upsweep", "windowfocus")
        w.key("Left")
        w.until(lambda s: s["step"] == 3, "the presentation goes on")
        w.click("button End the presentation   P")
        w.until(lambda s: not s["presentation"], "the mouse finds the way out")
        w.rest()
        self.assertEqual(w.settled_screen(), usual)

    def stepping(self):
        w = self.w
        first = w.settled_screen()
        w.key("Right")
        w.until(lambda s: s["step"] == 1 and s["phase"] == "up_sweep" and s["stride"] == 1, "the first stride is shown")
        second = w.settled_screen()
        self.assertNotEqual(first, second)
        w.key("Left")
        w.until(lambda s: s["step"] == 0, "it is back at the start")
        self.assertEqual(w.settled_screen(), first, "a step forward and back leaves another picture")

        w.key(*["Right"] * 10)
        w.until(lambda s: s["step"] == 10, "ten quick presses made ten steps")
        w.key("ctrl+Left", "ctrl+Left")
        w.until(lambda s: s["request"] >= 0, "a warp request is shown")
        w.key("End")
        last = w.state()["steps"] - 1
        w.until(lambda s: s["step"] == last, "the last step is shown")
        w.key("Home")
        w.until(lambda s: s["step"] == 0 and s["request"] == -1, "the first step is shown")
        w.rest()
        self.assertEqual(w.settled_screen(), first)
        w.click("button Next step   →   PgDn")
        w.until(lambda s: s["step"] == 1, "the button steps")
        w.key("alt+Left")
        w.until(lambda s: s["step"] == 0, "what was done is undone")
        w.key("alt+Right")
        w.until(lambda s: s["step"] == 1, "and done again")
        w.key("Home")
        w.until(lambda s: s["step"] == 0, "the first step is shown again")

    def scrubbing(self):
        w = self.w
        w.move(w.place("view profile", 0.35))
        self.display.do("mousedown", 1)
        early = w.until(lambda s: s["step"] > 0, "the press goes to its step")["step"]
        w.move(w.place("view profile", 0.8))
        late = w.until(lambda s: s["step"] > early, "the step follows the mouse")["step"]
        w.move((w.place("view profile", 0.8)[0], 200))  # the mouse leaves the bars
        time.sleep(0.2)
        self.assertEqual(w.state()["step"], late)
        w.move(w.place("view profile", 0.35))
        w.until(lambda s: s["step"] == early, "the step follows the mouse back")
        self.display.do("mouseup", 1)
        w.move(w.place("view profile", 0.6))
        time.sleep(0.2)
        self.assertEqual(w.state()["step"], early)
        w.rest()

    def choosing(self):
        w = self.w
        w.key("Home", "Right", "Right", "Right")
        here = w.until(lambda s: s["step"] == 3, "stride 4 is shown")
        w.rest()
        plain = w.settled_screen()
        w.choose("padding", "pad32")
        there = w.until(lambda s: s["layout"] == "pad32", "the padding is chosen")
        self.assertEqual((there["step"], there["phase"], there["stride"]), (here["step"], here["phase"], here["stride"]))
        w.rest()
        self.assertNotEqual(w.settled_screen(), plain)
        w.choose("padding", "none")
        w.until(lambda s: s["layout"] == "none", "the padding is gone")
        w.rest()
        self.assertEqual(w.settled_screen(), plain, "padding on and off leaves another picture")
        w.key("l")
        w.until(lambda s: s["layout"] == "pad32", "a key takes the next padding")
        w.key("alt+Left")
        w.until(lambda s: s["layout"] == "none", "and undo takes it back")

        w.move(w.place("padding"))
        time.sleep(0.7)  # after the tooltip has been drawn, no further frame may follow
        self.display.do("click", 1)
        w.until(lambda s: "pad32" in s["places"], "a short click opens the list")
        shown = w.settled_screen()
        self.display.do("mousemove_relative", 1, 0)
        time.sleep(0.2)
        self.assertEqual(w.settled_screen(), shown, "the list is drawn before the mouse moves again")
        w.key("Escape")
        w.until(lambda s: not s["keyboard"], "the list is closed")

        w.choose("algorithm", "Hillis-Steele scan")
        w.until(lambda s: s["algorithm"] == "scan_hillis_steele", "another algorithm is chosen")
        w.rest()
        self.assertNotEqual(w.settled_screen(), plain)
        w.key("a")
        w.until(lambda s: "Blelloch scan" in s["places"], "a key opens the list")
        w.key("Down", "Down", "Down", "Down", "Return")
        w.until(lambda s: s["algorithm"] == "scan_blelloch", "and the arrows choose in it")
        w.until(lambda s: not s["keyboard"], "the list is closed")
        w.key("Home")
        w.until(lambda s: s["step"] == 0, "the first step is shown")
        w.key("a")
        w.until(lambda s: "Blelloch scan" in s["places"], "a key opens the list again")
        w.key("Return", "End")
        w.until(lambda s: s["step"] == s["steps"] - 1, "the key behind the one that closes the list is not lost")
        w.key("Home")

    def blocks(self):
        w = self.w
        w.key("a")
        w.type("stores the tile")  # these words are in scan_large's Idea
        w.until(lambda s: s["algorithm"] == "scan_large", "what was typed finds an algorithm")
        w.until(lambda s: s["n"] == 256 and s["at_block"] == 0, "it comes with several blocks")
        w.click("button Next block   ↓")
        w.until(lambda s: s["at_block"] == 1, "a button goes to another block")
        w.rest()
        tree = w.settled_screen()
        w.click("tab blocks")
        w.until(lambda s: "tab tree" in s["places"], "another view takes the tree's place")
        w.rest()
        self.assertNotEqual(w.settled_screen(), tree)
        w.click("tab tree")
        w.until(lambda s: "tab blocks" in s["places"], "and gives it back")
        w.rest()
        self.assertEqual(w.settled_screen(), tree)
        w.choose("block scan", "brent kung")
        w.until(lambda s: s["variants"].get("block_scan") == "brent_kung", "a variant is chosen")
        w.choose("algorithm", "Blelloch scan")
        w.until(lambda s: s["algorithm"] == "scan_blelloch" and s["n"] == 64, "back to one block")
        w.key("Escape")
        w.until(lambda s: s["error"] == "", "nothing is complained of")
        w.key("Home")

    def typing(self):
        w = self.w
        w.click("n")
        w.type("256")
        w.until(lambda s: s["n"] == 256 and s["block"] == 128, "n is 256, and the block follows")
        for nonsense in ["many", "5000"]:
            w.click("n")
            w.type(nonsense)
            state = w.until(lambda s: s["error"] != "", f"a sentence answers {nonsense}")
            self.assertEqual(state["n"], 256)
            w.rest()
            w.key("Escape")
            w.until(lambda s: s["error"] == "", "it can be taken away")
        self.display.do("key", "--delay", "0", "n", "1", "2", "8", "Return", "t")
        w.until(lambda s: s["n"] == 128, "what is typed behind the key of a field goes into the field")
        w.until(lambda s: s["theme"] == "light", "and what is typed behind Enter does not")
        self.display.do("key", "--delay", "0", "t", "n", "2", "5", "6", "Return")
        w.until(lambda s: s["n"] == 256, "n is 256 again")
        w.key("n")
        w.type("2^30")
        w.until(lambda s: "2,048" in s["error"] or "2048" in s["error"], "a power is understood, and refused")
        w.key("Escape")
        self.assertEqual(w.state()["theme"], "dark", "what was typed into a field did something else")
        w.key("d")
        w.until(lambda s: "sausage" in s["places"], "the data's list opens")
        w.click("small scene")
        w.until(lambda s: s["data"] == "small scene" and not s["keyboard"], "the built-in picture is chosen")
        w.key("d")
        w.until(lambda s: "sausage" in s["places"], "the data's list opens again")
        w.click("ones")
        w.until(lambda s: s["data"] == "ones" and not s["keyboard"], "a preset is chosen")
        w.key("n")
        w.type("64")
        w.until(lambda s: s["n"] == 64 and s["block"] == 32, "n is 64 again")

    def pointing(self):
        w = self.w
        w.key("Home")
        w.rest()
        plain = w.settled_screen()
        w.move(w.place("view memory", 0.5, 0.55))
        w.until(lambda s: s["hover"] != 0, "a cell is pointed at")
        self.assertNotEqual(w.settled_screen(), plain)
        w.move(w.place("view tree", 0.6, 0.5))
        self.display.do("click", 4)
        self.display.do("click", 4)
        w.until(lambda s: 0 < s["element_count"] < 64, "the wheel zooms the tree")
        first = w.state()["first_element"]
        self.display.do("mousedown", 1)
        time.sleep(0.2)  # a frame must handle the press before the mouse moves
        w.move(w.place("view tree", 0.4, 0.5))
        w.until(lambda s: s["first_element"] > first, "dragging moves it")
        self.display.do("mouseup", 1)
        time.sleep(0.2)
        self.display.do("click", "--repeat", "2", "--delay", "60", 1)
        w.until(lambda s: s["element_count"] == 0, "a double click shows all of it")
        w.key("Home")
        w.move(w.place("view source"))
        self.display.do("click", 5)
        w.until(lambda s: s["first_line"] > 0, "the wheel scrolls the source")
        w.key("Right", "Left")
        w.until(lambda s: s["first_line"] == 0 and s["step"] == 0, "it follows the step again")
        w.rest()
        self.assertEqual(w.settled_screen(), plain)

    def looking(self):
        w = self.w
        plain = w.settled_screen()
        seen = {plain}
        for key, what in [("F1", lambda s: s["help"]), ("t", lambda s: s["theme"] == "light"), ("p", lambda s: s["presentation"]),
                          ("2", lambda s: s["view"] == "memory")]:
            w.key(key)
            w.until(what, f"{key} shows something")
            screen = w.settled_screen()
            self.assertNotIn(screen, seen, key)
            seen.add(screen)
            if key == "p":
                presentation = screen
            w.key("Escape" if key in ("F1", "p", "2") else "t")
            w.until(lambda s: not what(s), f"{key} can be left")
            self.assertEqual(w.settled_screen(), plain, key)
        w.move(w.place("padding"))
        w.key("p")
        w.until(lambda s: s["presentation"], "p presents")
        time.sleep(0.6)  # the tooltip appears after a delay
        self.assertEqual(w.settled_screen(), presentation, "a tip of what a presentation hides")
        w.key("Escape")
        w.until(lambda s: not s["presentation"], "the presentation is over")
        w.rest()
        w.click("button Play   Space")
        w.until(lambda s: s["playing"], "the button plays")
        w.click("button Pause   Space")
        w.until(lambda s: not s["playing"], "the button pauses")
        w.rest()

    def idling(self):
        self.w.settled_screen()
        before = self.processor_time()
        time.sleep(1.0)
        self.assertLess(self.processor_time() - before, 0.1, "an idle window keeps the processor busy")

    def processor_time(self):
        with open(f"/proc/{self.w.process.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class RecordingTest(unittest.TestCase):
    def test_a_recording_is_opened_left_and_found_again(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = os.path.join(folder.name, "kept.upsweep")
        subprocess.run([PROGRAM, "trace", "scan_blelloch", "--n", "40", "--machine", "emulated", "-o", file],
                       check=True, stdout=subprocess.DEVNULL)
        display = Display("1280x720")
        self.addCleanup(display.close)
        w = Window(display, file)
        self.addCleanup(w.close)
        state = w.until(lambda s: s["opened"] == "kept.upsweep", "the recording is shown")
        self.assertEqual((state["algorithm"], state["n"], state["data"]), ("scan_blelloch", 40, "as recorded"))
        display.do("search", "--sync", "--onlyvisible", "--name", "kept.upsweep · Upsweep")
        w.key("Right")
        w.until(lambda s: s["step"] == 1, "it is stepped through")
        w.key("m")
        w.until(lambda s: s["opened"] == "" and s["n"] == 40, "the same runs on this computer")
        w.key("m")
        w.until(lambda s: s["opened"] == "kept.upsweep" and s["step"] == 1, "the recording is back")


class ElementTest(unittest.TestCase):
    def test_a_formula_is_typed_into_the_open_list(self):
        display = Display("1280x720")
        self.addCleanup(display.close)
        w = Window(display, "stream_compaction", "--n", "20", "--machine", "emulated", "--predicate", "x > 3")
        self.addCleanup(w.close)
        predicate = lambda s: s["variants"].get("predicate", "positive")
        w.click("predicate")
        w.type("x > 5")
        w.until(lambda s: predicate(s) == "x > 5", "Enter takes what is in the field")
        w.click("predicate")
        w.until(lambda s: s["keyboard"], "the list is open")
        w.key("Return")
        w.until(lambda s: not s["keyboard"], "the list is closed")
        self.assertEqual(predicate(w.state()), "x > 5", "Enter keeps the shown formula")
        w.choose("predicate", "positive")
        w.until(lambda s: predicate(s) == "positive", "a click takes a preset")

    def test_an_element_leads_to_the_step_that_moves_it(self):
        display = Display("1280x720")
        self.addCleanup(display.close)
        for algorithm, view, point in (("stream_compaction", "view moves", (0.11, 0.38)),
                                       ("radix_sort", "view keys", (0.14, 0.3))):
            w = Window(display, algorithm, "--n", "16", "--machine", "emulated", "--type", "int32", "--step", "5")
            self.addCleanup(w.close)
            w.move(w.place(view, *point))
            w.until(lambda s: s["hover"] != 0, "an element is pointed at")
            w.click(view, *point)
            w.until(lambda s: s["step"] > 10, "a click goes to the step that moves it")
            w.close()


class ExportTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.display = Display("1280x720")
        self.addCleanup(self.display.close)
        self.w = Window(self.display, "scan_blelloch", "--n", "16", "--machine", "emulated", saves_to=self.folder.name)
        self.addCleanup(self.w.close)
        self.steps = self.w.state()["steps"]

    def export(self, view, row):
        """Points at a view, opens the list for this view, and chooses a row."""
        self.w.move(self.w.place(f"view {view}", 0.3, 0.6))
        time.sleep(0.3)  # waits until a frame has handled the mouse
        self.w.key("ctrl+s")
        self.w.until(lambda s: row in s["places"], "the list opens")
        time.sleep(0.3)  # waits until the list stands still
        self.w.click(row)
        self.w.until(lambda s: not s["keyboard"], "the list is closed")

    def saved(self, name):
        path = os.path.join(self.folder.name, name)
        end = time.monotonic() + PATIENCE
        while not os.path.exists(path) and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(0.2)  # waits until the files are written
        return path

    def content(self, name):
        with open(self.saved(name), "rb") as file:
            return file.read()

    def test_every_format(self):
        w = self.w
        w.key("Right", "Right")
        w.until(lambda s: s["step"] == 2, "the third step is shown")
        memory = "Shared memory"
        for row, name, begin in ((f"{memory}: PNG", "upsweep-scan_blelloch-memory.png", b"\x89PNG"),
                                 (f"{memory}: SVG", "upsweep-scan_blelloch-memory.svg", b"<"),
                                 (f"{memory}: PDF", "upsweep-scan_blelloch-memory.pdf", b"%PDF"),
                                 (f"{memory}: PNG", "upsweep-scan_blelloch-memory-2.png", b"\x89PNG"),
                                 (f"{memory}, every step: PDF", "upsweep-scan_blelloch-memory-steps.pdf", b"%PDF"),
                                 (f"{memory}, every step: GIF", "upsweep-scan_blelloch-memory-steps.gif", b"GIF89a"),
                                 (f"{memory}, every step: WebM", "upsweep-scan_blelloch-memory-steps.webm", b"\x1aE\xdf\xa3"),
                                 ("The window: PNG", "upsweep-scan_blelloch-window.png", b"\x89PNG"),
                                 ("The window: SVG", "upsweep-scan_blelloch-window.svg", b"<"),
                                 ("The window: PDF", "upsweep-scan_blelloch-window.pdf", b"%PDF")):
            self.export("memory", row)
            self.assertTrue(self.content(name).startswith(begin), name)
            w.until(lambda s: s["error"] == f"Saved as {os.path.join(self.folder.name, name)}.", "a sentence names the file")
            self.assertEqual(w.state()["step"], 2, "an export moves the reader")
        self.assertEqual(self.content("upsweep-scan_blelloch-memory.png"), self.content("upsweep-scan_blelloch-memory-2.png"))
        drawing = self.content("upsweep-scan_blelloch-memory.svg").decode()
        for part in ("Blelloch scan · n = 16", f"step 3 of {self.steps}"):
            self.assertIn(part, drawing)
        self.assertIn("Source", self.content("upsweep-scan_blelloch-window.svg").decode())
        self.export("memory", f"{memory}, every step: PNG")
        folder = self.saved("upsweep-scan_blelloch-memory-steps")
        self.saved(f"upsweep-scan_blelloch-memory-steps/step-{self.steps}.png")
        self.assertEqual(sorted(os.listdir(folder)), [f"step-{k:02}.png" for k in range(1, self.steps + 1)])
        with open(os.path.join(folder, "step-03.png"), "rb") as file:
            self.assertEqual(file.read(), self.content("upsweep-scan_blelloch-memory.png"))
        self.export("memory", "The chart of times: SVG and PDF")
        self.assertIn("GB/s", self.content("upsweep-sweep-scan_blelloch.svg").decode())
        self.assertTrue(self.content("upsweep-sweep-scan_blelloch.pdf").startswith(b"%PDF"))
        if shutil.which("xclip"):
            self.export("memory", f"{memory}: clipboard")
            self.assertEqual(self.pasted("image/png"), self.content("upsweep-scan_blelloch-memory.png"))
            self.export("memory", "Copy as command")
            command = shlex.split(self.pasted("UTF8_STRING").decode())
            self.assertEqual(command[0], "upsweep")
            os.mkdir(os.path.join(self.folder.name, "again"))
            subprocess.run([PROGRAM, *command[1:]], check=True, cwd=os.path.join(self.folder.name, "again"))
            self.assertEqual(self.content("again/upsweep-scan_blelloch-memory.png"),
                             self.content("upsweep-scan_blelloch-memory.png"), "the copied command draws another picture")

    def test_a_comparison(self):
        w = self.w
        w.key("Tab", "Right")
        w.until(lambda s: "changed memory" in s["places"] and s["step"] == 1, "two runs are compared")
        self.export("memory", "Shared memory: SVG")
        drawing = self.content("upsweep-scan_blelloch-memory.svg").decode()
        for part in ("no padding", "B: pad32", f"step 2 of {self.steps}"):
            self.assertIn(part, drawing)
        self.export("memory", "Shared memory, every step: GIF")
        self.assertTrue(self.content("upsweep-scan_blelloch-memory-steps.gif").startswith(b"GIF89a"))
        self.assertEqual(w.state()["step"], 1)

    def pasted(self, kind):
        """Returns the contents of the clipboard as data of this kind."""
        paste = ["xclip", "-selection", "clipboard", "-out", "-target", kind]
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            found = subprocess.run(paste, env=self.display.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL).stdout
            if found:
                return found
            time.sleep(0.1)
        raise AssertionError(f"The clipboard has no {kind}.")

    def test_what_cannot_be_saved_is_said(self):
        os.rmdir(self.folder.name)
        for row in ("Tree, every step: GIF", "Tree: PNG", "The window: SVG"):
            self.export("tree", row)
            self.w.until(lambda s: "no longer exists" in s["error"], "a sentence says so")
            self.w.key("Escape")
            self.w.until(lambda s: s["error"] == "", "it can be taken away")
        os.mkdir(self.folder.name)

    def test_cancelled_exports_leave_nothing(self):
        w = self.w
        w.key("n")
        w.type("1024")
        w.until(lambda s: s["n"] == 1024 and not s["recording"], "n is 1,024")
        for row in ("Tree, every step: WebM", "Tree, every step: PNG", "Tree, every step: GIF"):
            self.export("tree", row)
            w.key("Escape")
            w.until(lambda s: "cancelled" in s["error"], "a sentence says that nothing was saved")
            w.key("Escape")
            w.until(lambda s: s["error"] == "", "it can be taken away")
        time.sleep(1)
        self.assertEqual(os.listdir(self.folder.name), [])


class TimingTest(unittest.TestCase):
    def test_a_case_that_pays_and_one_that_is_hidden(self):
        display = Display("1280x720")
        self.addCleanup(display.close)
        w = Window(display, "scan_blelloch")
        self.addCleanup(w.close)
        timing = lambda s: s["timing"]
        w.key("e")
        w.until(lambda s: s["algorithm"] == "scan_large" and timing(s)["compared"] == "pad32" and timing(s)["large"], "it pays here")
        w.key("e")
        w.until(lambda s: s["algorithm"].startswith("reduce") and timing(s)["large"], "and is hidden here")
        w.click("button Padding, scan_large: 1.5 × faster at 2^28   E")
        w.until(lambda s: s["algorithm"] == "scan_large", "a click shows the first again")

    def test_times_are_shown_pinned_measured_and_switched(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = os.path.join(folder.name, "kept.json")
        subprocess.run([PROGRAM, "bench", "--algorithm", "scan_blelloch", "--to", "2^14", "--seconds", "0.001", "-o", file],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        display = Display("1280x720")
        self.addCleanup(display.close)
        w = Window(display, file)
        self.addCleanup(w.close)
        timing = lambda s: s["timing"]
        state = w.until(lambda s: timing(s)["source"] == "kept.json", "the file is shown")
        self.assertEqual((timing(state)["large"], timing(state)["live"], timing(state)["chart"]), (True, False, "sweep"))
        w.key("c")
        w.until(lambda s: not timing(s)["large"] and "timing" not in s["places"], "all views are back")
        w.click("tab timing")
        w.until(lambda s: "timing" in s["places"], "the times stand beside the views")

        w.move(w.place("timing sweep"))
        w.until(lambda s: timing(s)["hover"] >= 0, "a point is pointed at")
        display.do("click", 1)
        w.until(lambda s: timing(s)["pins"] == 1, "a click pins it")
        display.do("click", 1)
        w.until(lambda s: timing(s)["pins"] == 0, "another lets it go")
        w.rest()
        sweep = w.settled_screen()
        w.key("shift+c")
        w.until(lambda s: timing(s)["chart"] == "full size", "a key shows the next chart")
        self.assertNotEqual(w.settled_screen(), sweep)
        w.click("button Roofline   Shift C for the next chart")
        w.until(lambda s: timing(s)["chart"] == "roofline", "its name another")
        w.click("button Sweep   Shift C for the next chart")
        w.until(lambda s: timing(s)["chart"] == "sweep", "and the first again")
        w.rest()
        self.assertEqual(w.settled_screen(), sweep)

        w.key("s")
        w.until(lambda s: timing(s)["measuring"] and timing(s)["live"], "a sweep begins")
        w.until(lambda s: timing(s)["rows"] > 0, "what it has measured appears")
        w.key("Right")
        w.until(lambda s: s["step"] == 1, "the window goes on meanwhile")
        w.key("s")
        w.until(lambda s: not timing(s)["measuring"], "it is cancelled")
        self.assertGreater(timing(w.state())["rows"], 0, "what was measured is lost")
        seen = set()  # the names of all times that the key h has shown
        while "kept.json" not in seen and len(seen) < 9:
            before = timing(w.state())["source"]
            w.key("h")
            w.until(lambda s: timing(s)["source"] != before, "a key shows the next times")
            seen.add(timing(w.state())["source"])
        self.assertIn("kept.json", seen)
        w.key("c")
        w.until(lambda s: timing(s)["large"], "they are shown large")
        w.click(next(name for name in w.state()["places"] if name.startswith("button measured here")))
        w.until(lambda s: timing(s)["live"], "a click shows those of this computer")
        w.key("c")
        w.click("button Work and steps")
        w.until(lambda s: "timing" not in s["places"], "the work is back")
        w.key("ctrl+q")
        self.assertEqual(w.process.wait(PATIENCE), 0)


def run(usage):
    """Runs the tests of the calling program."""
    global PROGRAM
    if len(sys.argv) != 2:
        sys.exit(usage)
    PROGRAM = os.path.abspath(sys.argv.pop())
    if not shutil.which("Xvfb") or not shutil.which("xdotool") or not (shutil.which("xwd") or shutil.which("import")):
        print("xdotool, Xvfb or a screen grabber (xwd or import) is missing; the window is not tested.")
        sys.exit(77)
    unittest.main()


if __name__ == "__main__":
    run(__doc__)
