#pragma once

/// @file
/// What carries and what computes.

namespace shardlab {

/// A link between two ranks in the alpha-beta model: a message of S bytes takes alpha + beta·S seconds.
///
/// Rates are per direction: a link that is sold as "900 GB/s bidirectional" has bytes_per_second = 450e9.
/// Source of the model: Hockney, "The communication challenge for MPP", Parallel Computing 20 (1994), equation 1.
struct Link {
    /// Time until the first byte arrives, alpha, in seconds: 0 to 1e9.
    double latency_seconds = 0;
    /// Rate in one direction, 1/beta, in bytes per second: 1 to 1e18.
    double bytes_per_second = 1;
};

/// Checks both fields of a link.
/// @return the link, unchanged
/// @throws invalid_argument naming latency_seconds or bytes_per_second
Link require_link(Link link);

/// The links of a cluster: rank r stands in node r / per_node, and a message between two nodes takes the other link.
///
/// Every rank has links of its own. Where the ranks of a node share one, give each its part of the rate.
struct Links {
    Link intra;        ///< inside a node
    Link inter;        ///< between nodes
    int per_node = 8;  ///< ranks in a node, at least 1; the last node need not be full
};

/// One kind of link for all ranks.
Links uniform_links(const Link& link);

/// Checks all fields.
/// @return the links, unchanged
/// @throws invalid_argument naming latency_seconds, bytes_per_second, inter_latency_seconds, inter_bytes_per_second or
///         per_node
Links require_links(Links links);

/// Seconds that one message of `bytes` takes over a link.
/// @throws invalid_argument naming bytes, latency_seconds or bytes_per_second
double message_seconds(double bytes, const Link& link);

}  // namespace shardlab
