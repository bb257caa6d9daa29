#!/usr/bin/env python3
"""Plays a learner's first evening with real keys and a real mouse: a card, the first lesson, a comparison, a handout,
and the next start. One test stays in English, and one test changes the language in the middle.

usage: learner_test.py UPSWEEP
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest

import window_test
from window_test import PATIENCE, Display, Window

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts"))
import texts  # noqa: E402

CHINESE = texts.read_po()

# The learner's answers for each step of the first lesson, as the keys that the learner types. A step without a question
# has no answers. If a step has two answers, the first answer is wrong.
#
# The last question asks for an order of lines. Its four strings are not answers, but the lines in the correct order.
ANSWERS = [[], ["2 7"], ["0 minus 7", "1 minus 7"], ["1 1"], ["2 5"], ["1 5"], ["4", "2", "5", "1"], []]


def without_place(state):
    """Returns the state of the window without the fields that a restart does not restore."""
    return {key: value for key, value in state["state"].items() if key not in ("asking", "playing", "help", "language")}


class LearnerTest(unittest.TestCase):
    def setUp(self):
        self.display = Display("1280x720")
        self.addCleanup(self.display.close)
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

        self.language = "en"

    def say(self, english):
        """Returns the text as the window shows it in its language."""
        return english if self.language == "en" else CHINESE["", english]

    def lesson_text(self, key):
        """Returns a field of the first lesson, such as its title."""
        folder = ROOT / "assets" / "lessons" / ("zh" if self.language == "zh" else "")
        lines = (folder / "01-what-a-scan-is.md").read_text().split("\n")
        return next(line.removeprefix(f"{key}: ") for line in lines if line.startswith(f"{key}: "))

    def change_language(self, w):
        """Presses the key that changes the language. Checks that nothing else changes."""
        def kept(state):
            fields = ("lesson", "lesson_step", "asked", "right", "missed", "step", "keyboard")
            return [state[field] for field in fields] + [{**state["state"], "language": ""}]

        before = w.state()
        self.language = "zh" if self.language == "en" else "en"
        w.key("ctrl+l")
        after = w.until(lambda s: s["language"] == self.language, "the language is another")
        self.assertEqual(kept(after), kept(before))

    def open(self, *arguments):
        w = Window(self.display, *arguments, saves_to=self.folder.name)
        self.addCleanup(w.close)
        return w

    def quit(self, w):
        w.key("ctrl+q")
        self.assertEqual(w.process.wait(PATIENCE), 0)

    def reply(self, w, typed):
        w.key(*typed.split(), "Return")

    def test_from_the_first_start_to_the_second(self):
        self.evening(lambda w: None)

    def test_in_two_languages(self):
        self.language = "zh"
        self.evening(self.change_language, "--language", "zh")

    def evening(self, between, *arguments):
        """Plays the whole evening. Calls between(window) whenever a learner could do something else."""
        w = self.open(*arguments)
        w.until(lambda s: s["cards"], "the first start shows the cards")
        w.click("card 4")
        w.until(lambda s: s["lesson"] == "4-parallel-scan" and s["asked"], "the card asks its question")
        self.reply(w, "2 5")
        w.until(lambda s: s["right"] == 1, "the answer is right")
        between(w)
        w.click(f"button {self.say('Next lesson')}   Enter")
        w.until(lambda s: s["lesson"] == "01-what-a-scan-is" and s["lesson_step"] == 0, "the lesson is open")
        for step, answers in enumerate(ANSWERS):
            w.until(lambda s, step=step: s["lesson_step"] == step, f"step {step + 1} is shown")
            if step == len(ANSWERS) - 1:
                break
            if answers:
                w.key("Return")  # does nothing, because the question has no answer yet
                self.assertEqual(w.state()["lesson_step"], step)
            if len(answers) == 4:
                for line in answers:
                    w.key(line)
                w.key("Return")
            elif answers:
                w.until(lambda s: s["asked"], "the question is open")
                between(w)
                self.reply(w, answers[0])
                if len(answers) == 2:
                    between(w)
                    w.until(lambda s: f"button {self.say('Show the answer')}" in s["places"], "the wrong answer is refuted")
                    w.key("BackSpace", "BackSpace", "BackSpace")
                    self.reply(w, answers[1])
            w.until(lambda s, count=sum(map(bool, ANSWERS[:step + 1])): s["right"] + s["missed"] == count, "it is answered")
            w.key("Return")
        done = w.state()
        self.assertEqual((done["right"], done["missed"]), (5, 1))

        w.key("ctrl+s")
        w.until(lambda s: self.say("The lesson: PDF") in s["places"], "the list opens")
        time.sleep(0.3)  # waits until the list stands still
        w.click(self.say("The lesson: PDF"))
        w.until(lambda s: self.say("Saved as {}.").split("{")[0] in s["error"], "the handout is saved")
        handout = os.path.join(self.folder.name, "upsweep-lesson-what-a-scan-is.pdf")
        text = subprocess.run(["pdftotext", handout, "-"], check=True, stdout=subprocess.PIPE).stdout.decode()
        self.assertIn(self.lesson_text("title"), text)
        self.assertEqual(text.count(self.say("Because:")), 5)

        w.choose(self.say("algorithm"), self.say("Blelloch scan"))
        w.until(lambda s: s["algorithm"] == "scan_blelloch" and not s["recording"], "another run is shown")
        between(w)
        w.click(f"""button {self.say("Back to the lesson's run")}""")
        w.until(lambda s: s["algorithm"] == "scan_sequential", "the lesson's run is back")
        w.key("F2")
        w.until(lambda s: not s["lessons"], "the lessons are hidden")
        w.key("F2")
        w.until(lambda s: s["lesson"] == "01-what-a-scan-is", "the same lesson is back")
        w.key("F2")
        w.until(lambda s: not s["lessons"], "the lessons are hidden")
        w.choose(self.say("algorithm"), self.say("Blelloch scan"))
        w.until(lambda s: s["algorithm"] == "scan_blelloch" and not s["recording"], "another run is shown")
        w.key("Tab")
        w.until(lambda s: s["state"]["comparing"] and "changed memory" in s["places"], "two paddings are compared")
        before = w.until(lambda s: json.loads(s["state"]["change"])["choices"]["layout"] == "pad32", "none and pad32")
        between(w)
        self.quit(w)

        w = self.open()
        self.assertEqual(w.state()["language"], self.language)
        after = w.until(lambda s: "changed memory" in s["places"], "the comparison is back")
        self.assertFalse(after["cards"])
        self.assertEqual(without_place(after), without_place(before))
        w.key("F2")
        w.click("button " + self.lesson_text("about"))
        again = w.until(lambda s: s["lesson"] == "01-what-a-scan-is", "the lesson is open again")
        self.assertEqual((again["right"], again["missed"], again["lesson_step"]), (5, 1, len(ANSWERS) - 1))
        self.quit(w)

        w = self.open()
        w.until(lambda s: s["lesson"] == "01-what-a-scan-is" and s["lesson_step"] == len(ANSWERS) - 1, "the lesson is where it was")
        w.key("F3")
        w.until(lambda s: s["cards"], "the start page is one key away")
        w.key("Escape")
        w.until(lambda s: not s["cards"], "and closes again")
        self.quit(w)

    def test_damaged_files_are_kept(self):
        own = os.path.join(self.display.own.name, "upsweep")
        os.makedirs(own)
        for name in ("window.json", "progress.json"):
            with open(os.path.join(own, name), "w") as file:
                file.write('{"state": {"n": "many"}, "lessons": 3')
        w = self.open()
        w.until(lambda s: s["cards"] and "damaged" in s["error"], "the window says what is damaged")
        self.assertEqual(sum(name.endswith(".damaged") for name in os.listdir(own)), 2)
        self.quit(w)

    def test_a_lesson_of_ones_own_is_shown_again_when_it_is_saved(self):
        lesson = os.path.join(self.folder.name, "mine.md")

        def write(title):
            with open(lesson, "w") as file:
                file.write(f"---\ntitle: {title}\nminutes: 3\n---\nText.\n\n```show\nscan_blelloch --n 16\n```\n"
                           "```ask\nvalue --step up-sweep:2 --element 3\n```\n")

        write("First")
        w = self.open("--lesson", lesson)
        w.until(lambda s: s["lesson"] == lesson and s["asked"], "the lesson asks")
        self.assertEqual(w.state()["n"], 16)
        with open(lesson) as file:
            text = file.read()
        with open(lesson, "w") as file:
            file.write(text.replace("--n 16", "--n 32"))
        w.until(lambda s: s["n"] == 32 and s["asked"], "the saved lesson is shown")
        w.click("button Back to the list of lessons")
        w.until(lambda s: s["lesson"] == "" and "button First" in s["places"], "the list has the folder's lesson")
        w.click("button First")
        w.until(lambda s: s["lesson"] == lesson and s["asked"], "the folder's lesson is open again")
        w.click("button Back to the list of lessons")
        w.until(lambda s: s["lesson"] == "", "the list is shown")
        w.key("Return")
        w.until(lambda s: s["lesson"] == lesson, "Enter opens the first lesson of the list")
        w.click("button Back to the list of lessons")
        w.until(lambda s: s["lesson"] == "", "the list is shown")
        w.key("Down", "Return")
        w.until(lambda s: s["lesson"] == "01-what-a-scan-is", "the next lesson is one of Upsweep's own")
        self.quit(w)


if __name__ == "__main__":
    window_test.run(__doc__)
