#pragma once

// Catch2 under one name: Debian 12 has version 2 in one header, later systems have version 3.

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif
