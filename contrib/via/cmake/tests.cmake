# The tests: two Boost.Test programs, the same checks as a suite of ns-3's runner, and pytest.
# Each Boost case and each pytest case is one ctest entry, labelled quick, ci or night.

via_add_test_program(via)
file(GLOB conformance_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/conformance/*.cc
     ${CMAKE_CURRENT_SOURCE_DIR}/test/conformance/*/*.cc
)
via_add_boost_program(
  via-conformance via ${conformance_sources} test/support/via-test-vipl-bench.cc
)
via_unity(via-conformance 8)

# Environment of every case. Debian's libns3 is not instrumented: a container it grew and we read
# looks overflown to ASan, and what it leaks at exit is named in the suppressions. Where a block of
# thread-local variables ends ASan guesses from what lies before it, and may scan what is not there.
# A fault of the simulator ends with a signal, as without ASan.
set(via_test_environment)
if(VIA_SANITIZE)
  list(
    APPEND
    via_test_environment
    "ASAN_OPTIONS=detect_container_overflow=0:detect_stack_use_after_return=0:intercept_tls_get_addr=0:abort_on_error=1"
    "LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/test/lsan.supp:print_suppressions=0"
    "UBSAN_OPTIONS=print_stacktrace=1"
  )
endif()

# via_add_cases(PROGRAM PROFILES): the cases of a Boost.Test program become ctest entries. They are
# found in the program after it was linked; ctest reads their list. With PROFILES, a folder, each
# case is an entry for each profile that is there when ctest starts.
function(via_add_cases program profiles)
  via_use_warnings(${program})
  set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
  set(cases ${CMAKE_CURRENT_BINARY_DIR}/${program}-cases.cmake)
  add_custom_command(
    TARGET ${program}
    POST_BUILD
    COMMAND
      ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:${program}> -DOUTPUT=${cases}
      "-DENVIRONMENT=${via_test_environment}" -P
      ${CMAKE_CURRENT_SOURCE_DIR}/cmake/discover-boost.cmake
    VERBATIM
  )
  set(include ${CMAKE_CURRENT_BINARY_DIR}/${program}-include.cmake)
  file(CONFIGURE OUTPUT ${include}
       CONTENT [[
set(VIA_BOOST_PROGRAM "@CMAKE_BINARY_DIR@/bin/@program@")
set(VIA_BOOST_CASES "@cases@")
set(VIA_BOOST_ENVIRONMENT "@via_test_environment@")
set(VIA_BOOST_PROFILES "@profiles@")
set(VIA_BOOST_SANITIZED "@VIA_SANITIZE@")
include("@CMAKE_CURRENT_SOURCE_DIR@/cmake/boost-cases.cmake")
]] @ONLY
  )
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${include})
endfunction()

via_add_cases(via-tests "")
via_add_cases(via-conformance ${CMAKE_CURRENT_SOURCE_DIR}/profiles)

add_executable(
  via-test-runner test/standalone-test-runner.cc test/via-test-suite.cc test/via-bridge-test-suite.cc
)
via_use_warnings(via-test-runner)
target_compile_definitions(
  via-test-runner PRIVATE NS_TEST_SOURCEDIR="${CMAKE_CURRENT_SOURCE_DIR}/test"
                          VIA_TESTS_BINARY="$<TARGET_FILE:via-tests>"
)
target_link_libraries(via-test-runner PRIVATE via)
add_dependencies(via-test-runner via-tests)
set_target_properties(via-test-runner PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
add_test(NAME ns3.TheSuiteRunsInItsTestRunner COMMAND via-test-runner --suite=via --verbose)
set_tests_properties(
  ns3.TheSuiteRunsInItsTestRunner PROPERTIES LABELS quick TIMEOUT 60 ENVIRONMENT
                                                        "${via_test_environment}"
)
add_test(NAME ns3.TheBridgeSuiteRunsInItsTestRunner COMMAND via-test-runner --suite=via-boost
                                                            --verbose
)
set_tests_properties(ns3.TheBridgeSuiteRunsInItsTestRunner PROPERTIES LABELS night)

if(VIA_PYTHON)
  include(cmake/pytest.cmake)
endif()

# What the tiers need built: `./via test` builds this and no more, but all for the night.
add_custom_target(tests-quick)
add_dependencies(tests-quick via-tests via-conformance via-test-runner)
if(TARGET _core)
  add_dependencies(tests-quick _core)
endif()
add_custom_target(tests-ci)
add_dependencies(tests-ci tests-quick)
if(TARGET via-partitions)
  add_dependencies(tests-ci via-partitions)
  if(TARGET _partitions)
    add_dependencies(tests-ci _partitions)
  endif()
endif()

# Shell tests, for what only a compiler's or a shell's exit code can say.
file(GLOB via_shell_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/*/*.sh)
foreach(script ${via_shell_tests})
  get_filename_component(case ${script} NAME_WE)
  get_filename_component(folder ${script} DIRECTORY)
  get_filename_component(layer ${folder} NAME)
  add_test(NAME ${layer}.${case} COMMAND sh ${script})
  set_tests_properties(
    ${layer}.${case} PROPERTIES LABELS quick TIMEOUT 600 COST 100
  ) # they are long: first
endforeach()
