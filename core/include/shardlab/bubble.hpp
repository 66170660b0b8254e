#pragma once

/// @file
/// Closed forms of the pipeline bubble: the share of all devices' time that is idle ("of total"). Papers also give
/// the ratio of idle time to work ("of ideal"), which is f / (1 - f).

namespace shardlab {

/// GPipe and 1F1B with P stages and M micro-batches: (P-1)/(M+P-1). 7/11 for (8, 4).
///
/// Holds for equal stages and no communication time, whatever forward and backward take.
/// Source: Huang et al., arXiv:1811.06965, section 2.3; Narayanan et al., arXiv:2104.04473, section 2.2.1.
/// @throws invalid_argument naming stages or micro_batches
double pipeline_bubble_fraction(int stages, int micro_batches);

/// Interleaved 1F1B with V chunks a device: (P-1)/(V·M+P-1).
///
/// Holds where M is a multiple of P.
/// Source: Narayanan et al., arXiv:2104.04473, section 2.2.2.
/// @throws invalid_argument naming stages, micro_batches or chunks
double interleaved_bubble_fraction(int stages, int micro_batches, int chunks);

}  // namespace shardlab
