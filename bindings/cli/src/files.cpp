#include "files.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>
#include <vector>

#include <zlib.h>

#include <shardlab/collective.hpp>
#include <shardlab/csv.hpp>

namespace shardlab::cli {
namespace {

constexpr std::size_t largest_csv = std::size_t{1} << 30U;

invalid_argument unreadable(const std::string& parameter, const std::string& path, const char* reason) {
    return {parameter, path, std::string("name a file that can be read: ") + reason};
}

void require_no_directory(const std::string& parameter, const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        throw unreadable(parameter, path, std::strerror(EISDIR));
    }
}

}  // namespace

std::string file_text(const Options& options, const std::string& parameter, std::size_t most) {
    return file_text(parameter, options.text(parameter), most);
}

std::string file_text(const std::string& parameter, const std::string& path, std::size_t most) {
    require_no_directory(parameter, path);
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
    if (!file) {
        throw unreadable(parameter, path, std::strerror(errno));
    }
    std::string text;
    std::array<char, 65536> block{};
    while (const std::size_t size = std::fread(block.data(), 1, block.size(), file.get())) {
        if (size > most - text.size()) {
            throw invalid_argument(parameter, path, "hold at most " + std::to_string(most) + " bytes");
        }
        text.append(block.data(), size);
    }
    if (std::ferror(file.get()) != 0) {
        throw unreadable(parameter, path, std::strerror(errno));
    }
    return text;
}

void read_in_pieces(const std::string& parameter, const std::string& path,
                    const std::function<void(std::string_view piece)>& take) {
    constexpr unsigned block_size = 1U << 18U;
    require_no_directory(parameter, path);
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
    if (!file) {
        throw unreadable(parameter, path, std::strerror(errno));
    }
    gzbuffer(file.get(), block_size);
    std::vector<char> block(block_size);
    int size = 0;
    while ((size = gzread(file.get(), block.data(), block_size)) > 0) {
        take({block.data(), static_cast<std::size_t>(size)});
    }
    // Of a file that was cut off what there is has been handed over, and ends as text that is cut off does.
    int status = Z_OK;
    const char* const message = gzerror(file.get(), &status);
    if (status == Z_ERRNO) {
        throw unreadable(parameter, path, std::strerror(errno));
    }
    if (size < 0 && status != Z_BUF_ERROR) {
        throw unreadable(parameter, path, message);
    }
}

void write_file(const std::string& parameter, const std::string& path, const std::string& text) {
    const auto unwritable = [&](const char* reason) {
        return invalid_argument(parameter, path, std::string("name a file that can be written: ") + reason);
    };
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "wb"), std::fclose);
    if (!file) {
        throw unwritable(std::strerror(errno));
    }
    const bool written = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
    // Closing writes what is left.
    if (std::fclose(file.release()) != 0 || !written) {
        throw unwritable(std::strerror(errno));
    }
}

Matrix input_matrix(const Options& options) {
    Matrix matrix = matrix_from_csv(file_text(options, "input", largest_csv), "input");
    if (matrix.shape(0) > most_ranks) {
        throw invalid_argument("input", std::to_string(matrix.shape(0)) + " rows",
                               "have a row for each rank, at most " + std::to_string(most_ranks));
    }
    return matrix;
}

}  // namespace shardlab::cli
