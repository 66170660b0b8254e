/** Traces of two ranks that were trained together. Loaded when they are asked for. */

import rank0 from "../../tests/data/traces/dlrm_8xV100_rank0.json.gz";
import rank1 from "../../tests/data/traces/dlrm_8xV100_rank1.json.gz";

export const sampleTraces: readonly Uint8Array[] = [rank0, rank1];
