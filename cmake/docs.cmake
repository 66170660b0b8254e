# The target `docs`: API documentation from the public headers. A warning is an error, since the headers are the manual.
find_package(Doxygen QUIET)
if(NOT DOXYGEN_FOUND)
    return()
endif()

set(DOXYGEN_OUTPUT_DIRECTORY "${SHARDLAB_DOCS_DIR}")
set(DOXYGEN_HTML_OUTPUT .)
set(DOXYGEN_STRIP_FROM_INC_PATH "${PROJECT_SOURCE_DIR}/core/include")
set(DOXYGEN_STRIP_FROM_PATH "${PROJECT_SOURCE_DIR}/core/include")
set(DOXYGEN_JAVADOC_AUTOBRIEF YES)
set(DOXYGEN_BUILTIN_STL_SUPPORT YES)
set(DOXYGEN_HAVE_DOT NO)
# A comparison that the compiler writes needs no text, and neither does a parameter that its name and the summary explain.
set(DOXYGEN_EXCLUDE_SYMBOLS operator==)
set(DOXYGEN_WARN_IF_INCOMPLETE_DOC NO)
set(DOXYGEN_QUIET YES)
set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)

doxygen_add_docs(docs "${PROJECT_SOURCE_DIR}/core/include" COMMENT "API documentation of the headers")
