#pragma once

/// @file
/// The one place where the version stands; CMake and the npm package read it from here.

/// Semantic version of the library, the command and the npm package.
#define SHARDLAB_VERSION "0.1.0"
