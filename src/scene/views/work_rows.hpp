// The rows of the Work view: its targets are handles with one of these as their row.
#pragma once

namespace upsweep {

enum class WorkRow { operations, steps, parallelism, shared_load, shared_store, global_load, global_store };

}  // namespace upsweep
