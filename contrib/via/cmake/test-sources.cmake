# Which sources are whose test program's, in both worlds. test/programs holds what the tests compile
# with `./via cc` and run as simulated processes.

file(GLOB via_test_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/*/*.cc)
list(FILTER via_test_sources EXCLUDE REGEX "/test/(programs|conformance)/")
file(
  GLOB
  via_conformance_sources
  CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_SOURCE_DIR}/test/conformance/*.cc
  ${CMAKE_CURRENT_SOURCE_DIR}/test/conformance/*/*.cc
  ${CMAKE_CURRENT_SOURCE_DIR}/test/support/via-test-vipl-bench.cc
)
