#pragma once

/// @file
/// Collectives as data: a schedule of simultaneous transfers, and what reads it.
///
///     builders ──► CollectiveSchedule ──► execute   (real numbers, a ledger of bytes)
///                                    ├──► ledger    (the same bytes, without the numbers)
///                                    ├──► price     (alpha-beta links: seconds)
///                                    ├──► check     (the invariants of a schedule)
///                                    └──► fault     (the same numbers, with something gone wrong)

#include <shardlab/collective/builders.hpp>
#include <shardlab/collective/exact_sum.hpp>
#include <shardlab/collective/execute.hpp>
#include <shardlab/collective/fault.hpp>
#include <shardlab/collective/ledger.hpp>
#include <shardlab/collective/price.hpp>
#include <shardlab/collective/schedule.hpp>
