#include <algorithm>

#include <Eigen/Core>

#include "peer.hpp"

namespace {

template <typename T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template <typename T>
RowMajor<T> copied(const shardlab::MatrixOf<T>& matrix) {
    RowMajor<T> copy(matrix.shape(0), matrix.shape(1));
    std::copy(matrix.begin(), matrix.end(), copy.data());
    return copy;
}

/// The result is new each time, as it is of matmul().
template <typename T>
std::function<void()> product(const shardlab::MatrixOf<T>& a, const shardlab::MatrixOf<T>& b) {
    return [a = copied(a), b = copied(b)] { const RowMajor<T> result = a * b; };
}

}  // namespace

std::function<void()> peer_product(const shardlab::Matrix& a, const shardlab::Matrix& b) {
    return product(a, b);
}

std::function<void()> peer_product(const shardlab::Matrix32& a, const shardlab::Matrix32& b) {
    return product(a, b);
}
