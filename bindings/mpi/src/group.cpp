#include "group.hpp"

#include <cstdlib>

namespace shardlab::mpi {

Group::Group(int& argc, char**& argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
}

Group::~Group() {
    MPI_Finalize();
}

std::vector<std::string> Group::hosts() const {
    constexpr int longest = MPI_MAX_PROCESSOR_NAME;
    std::vector<char> name(longest, '\0');
    int length = 0;
    MPI_Get_processor_name(name.data(), &length);
    std::vector<char> names(static_cast<std::size_t>(ranks_) * longest);
    MPI_Allgather(name.data(), longest, MPI_CHAR, names.data(), longest, MPI_CHAR, MPI_COMM_WORLD);

    std::vector<std::string> hosts;
    for (auto host = names.begin(); host != names.end(); host += longest) {
        hosts.emplace_back(&*host);
    }
    return hosts;
}

int Group::ranks_of_first_node() const {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node);
    int ranks = 1;
    MPI_Comm_size(node, &ranks);
    MPI_Comm_free(&node);
    MPI_Bcast(&ranks, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return ranks;
}

bool Group::is_alike(std::uint64_t value) const {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    MPI_Allreduce(&value, &least, 1, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(&value, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    return least == most;
}

void Group::abort(int status) const {
    MPI_Abort(MPI_COMM_WORLD, status);
    std::abort();
}

std::string library_version() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(text, &length);
    const std::string version(text);
    return version.substr(0, version.find('\n'));
}

}  // namespace shardlab::mpi
