// Catch2 2.13 is a single header whose main takes most of a minute to compile, so it is compiled once, here.
#define CATCH_CONFIG_MAIN
#define CATCH_CONFIG_CONSOLE_WIDTH 120
#include <catch2/catch.hpp>
