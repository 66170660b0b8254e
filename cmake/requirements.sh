# What ./lab needs on the machine, and how it gets there; sourced by it.
# shellcheck shell=bash

# Each line: the thing that must be there (a command, or a header in angle brackets; with alternatives), the package of
# Debian and Ubuntu that has it, and what it is for.
build_requirements='
cmake                       cmake               configures the build
ninja                       ninja-build         runs the build
c++                         g++                 compiles the library and the command line
<xtensor/xtensor.hpp>|<xtensor/containers/xtensor.hpp>  libxtensor-dev  the arrays of the library
<fast_float/fast_float.h>   libfast-float-dev   reads the numbers of CSV files
<CLI/CLI.hpp>               libcli11-dev        reads the options of the command line
<nlohmann/json.hpp>         nlohmann-json3-dev  writes the answers of the command line
<zlib.h>                    zlib1g-dev          reads compressed traces
<catch2/catch.hpp>|<catch2/catch_all.hpp>  catch2  is the framework of the tests
em++                        emscripten          compiles the library to WebAssembly
node                        nodejs              builds and serves the page, runs WebAssembly
npm                         npm                 fetches the tools that build the page
rsvg-convert                librsvg2-bin        makes PNG files of the still pictures
'
docs_requirements='
doxygen                     doxygen             makes the API documentation
'
test_requirements='
clang++                     clang               compiles the fuzzers
libFuzzer                   libclang-rt-dev     drives the fuzzers
'
browser_requirements='
chromium|chromium-browser|google-chrome  chromium  runs the tests of the page
'
mpi_requirements='
mpicxx                      libopenmpi-dev      compiles the command that runs collectives between real processes
mpirun                      openmpi-bin         starts these processes
'
real_requirements='
python:torch                python3-torch       trains the model whose collectives are measured
'
bench_requirements='
<Eigen/Core>|<eigen3/Eigen/Core>  libeigen3-dev  has the matrix product that ours is measured against
'
full_requirements='
mkdocs                      mkdocs              makes notes with widgets in them
mkdocs:material             mkdocs-material     is how most of these look
sphinx-build                python3-sphinx      makes others
clang-format                clang-format        checks the format of the sources
clang-tidy                  clang-tidy          finds doubtful code
WebKitWebDriver             webkit2gtk-driver   runs the page in the engine of Safari
Xvfb                        xvfb                is the screen for it
'
firefox_requirements='
firefox-esr|firefox         firefox-esr         runs the page in the engine of Firefox
'

# require build|docs|mpi|real|test|bench|full: installs what is missing, and returns when everything is there.
require() {
    local needed=$build_requirements
    case $1 in
        docs) needed+=$docs_requirements ;;
        mpi) needed+=$mpi_requirements ;;
        real) needed+=$real_requirements ;;
        test) needed+=$docs_requirements$test_requirements$mpi_requirements$(with_browser) ;;
        bench) needed+=$docs_requirements$test_requirements$(with_browser)$bench_requirements ;;
        full) needed+=$docs_requirements$test_requirements$mpi_requirements$(with_browser full)$full_requirements ;;
    esac
    local missing
    missing=$(missing_things <<<"$needed")
    [ -z "$missing" ] || install "$missing"
    require_version CMake 3.25 "$(cmake --version)"
    require_version Node.js 18 "$(node --version)"
}

# Ubuntu has Chromium and Firefox as snaps only, which are not for a script to bring in. Without Chromium CMake leaves out
# the tests of the page, and says so; the tests of all engines, which were asked for by name, then fail and say why.
with_browser() {
    ! grep -qsx 'ID=ubuntu' /etc/os-release || return 0
    printf '%s' "$browser_requirements"
    [ "${1:-}" != full ] || printf '%s' "$firefox_requirements"
}

# Copies the lines whose thing is not on the machine.
missing_things() {
    local thing package purpose
    while read -r thing package purpose; do
        [ -z "$thing" ] || has "$thing" || printf '%s %s %s\n' "$thing" "$package" "$purpose"
    done
}

# has THING[|THING...]
has() {
    local alternatives thing
    IFS='|' read -ra alternatives <<<"$1"
    for thing in "${alternatives[@]}"; do
        case $thing in
            '<'*) has_header "$thing" && return ;;
            python:*) find_python "${thing#*:}" >/dev/null && return ;;
            mkdocs:*) [ -d "/usr/share/mkdocs/themes/${thing#*:}" ] && return ;;
            libFuzzer) compgen -G "$(clang++ -print-resource-dir)/lib/*/libclang_rt.fuzzer*" >/dev/null && return ;;
            *) command -v "$thing" >/dev/null && return ;;
        esac
    done
    return 1
}

# Prints the Python that has a module: the first on the PATH, or the system's, which its packages are for.
find_python() {
    local python
    for python in "${SHARDLAB_PYTHON:-python3}" /usr/bin/python3; do
        if command -v "$python" >/dev/null && "$python" -c "import $1" 2>/dev/null; then
            printf '%s' "$python"
            return
        fi
    done
    return 1
}

# has_header '<NAME>'
has_header() {
    printf '#if !__has_include(%s)\n#error\n#endif\n' "$1" | c++ -E -x c++ - >/dev/null 2>&1
}

# require_version NAME LEAST TEXT: the first number in the text must not be below the least.
require_version() {
    local found
    found=$(grep -om1 '[0-9][0-9.]*' <<<"$3" | head -n 1)
    printf '%s\n%s\n' "$2" "$found" | sort -CV || fail "$1 $2 or newer is needed; the one on the PATH is $found"
}

# install LINES: of the form of the requirements.
install() {
    local thing package purpose packages=()
    say "Missing on this machine"
    while read -r thing package purpose; do
        printf '  %-20s %s\n' "$package" "$purpose"
        packages+=("$package")
    done <<<"$1"

    command -v apt-get >/dev/null ||
        fail "install these (named as Debian's packages are) with your system's package manager, then run it again"
    local root=()
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "as root, run: apt-get install ${packages[*]}"
        root=(sudo)
    fi

    # A package's index may be absent or too old to fetch from; it is renewed once, and only then.
    local apt=("${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get)
    local get=("${apt[@]}" install --yes --no-install-recommends --no-upgrade)
    say "Installing them with apt-get${root:+, by sudo}"
    if ! "${get[@]}" --simulate "${packages[@]}" >/dev/null 2>&1 || ! "${get[@]}" "${packages[@]}"; then
        "${apt[@]}" update
        "${get[@]}" "${packages[@]}"
    fi
}

# Where the distribution's Catch2 is version 3, its package is a native library, and WebAssembly needs the sources: puts
# their folder into catch2_source_dir. It stays empty where version 2 needs none.
find_catch2_sources() {
    catch2_source_dir=
    if ! has_header '<catch2/catch.hpp>'; then
        catch2_source_dir=${SHARDLAB_CATCH2_SOURCE_DIR:-$PWD/build/catch2/source}
        [ -f "$catch2_source_dir/CMakeLists.txt" ] || fetch_catch2_sources
    fi
}

# Fetches the sources of the installed package. The system's own list of sources need not have them, and is left alone:
# the same lines, asking for sources, stand in a configuration under build/.
fetch_catch2_sources() {
    say "Fetching the sources of Catch2, to compile it to WebAssembly"
    command -v apt-get >/dev/null ||
        fail "set SHARDLAB_CATCH2_SOURCE_DIR to the folder of the sources of Catch2 3, then run it again"
    local work=$PWD/build/catch2 file
    rm -rf "$work"
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/sources" "$work/source"
    for file in /etc/apt/sources.list /etc/apt/sources.list.d/*; do
        case $file in
            *.list) sed -n 's/^deb /deb-src /p' "$file" >"$work/sources/$(basename "$file")" ;;
            *.sources) sed 's/^Types:.*/Types: deb-src/' "$file" >"$work/sources/$(basename "$file")" ;;
        esac
    done
    local apt=(apt-get -o "Dir::Etc::SourceList=/dev/null" -o "Dir::Etc::SourceParts=$work/sources"
        -o "Dir::State::Lists=$work/lists" -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=)
    "${apt[@]}" update &&
        (cd "$work" && "${apt[@]}" source --download-only catch2) &&
        tar -xf "$work"/catch2_*.orig.tar.* -C "$work/source" --strip-components=1
}
