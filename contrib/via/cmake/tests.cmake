# The tests: one Boost.Test program, the same checks as a suite of ns-3's runner, and pytest.
# Each Boost case and each pytest case is one ctest entry, labelled quick, ci or night.

via_add_test_program(via)
via_use_warnings(via-tests)
set_target_properties(via-tests PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

add_executable(via-test-runner test/standalone-test-runner.cc test/via-bridge-test-suite.cc)
via_use_warnings(via-test-runner)
target_compile_definitions(
  via-test-runner PRIVATE NS_TEST_SOURCEDIR="${CMAKE_CURRENT_SOURCE_DIR}/test"
                          VIA_TESTS_BINARY="$<TARGET_FILE:via-tests>"
)
target_link_libraries(via-test-runner PRIVATE via)
add_dependencies(via-test-runner via-tests)
set_target_properties(via-test-runner PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
add_test(NAME ns3.TheBridgeSuiteRunsInItsTestRunner COMMAND via-test-runner --suite=via --verbose)
set_tests_properties(ns3.TheBridgeSuiteRunsInItsTestRunner PROPERTIES LABELS ci)

# Environment of every case. Debian's libns3 is not instrumented: a container it grew and we read
# looks overflown to ASan, and what it leaks at exit is named in the suppressions.
set(via_test_environment)
if(VIA_SANITIZE)
  list(
    APPEND
    via_test_environment
    "ASAN_OPTIONS=detect_container_overflow=0:detect_stack_use_after_return=0"
    "LSAN_OPTIONS=suppressions=${CMAKE_CURRENT_SOURCE_DIR}/test/lsan.supp:print_suppressions=0"
    "UBSAN_OPTIONS=print_stacktrace=1"
  )
endif()

# Cases are found where they are: in the program after it was linked, in the Python files when
# ctest starts. Both scripts write a file of add_test lines that ctest includes.
set(boost_cases ${CMAKE_CURRENT_BINARY_DIR}/boost-cases.cmake)
add_custom_command(
  TARGET via-tests
  POST_BUILD
  COMMAND
    ${CMAKE_COMMAND} -DPROGRAM=$<TARGET_FILE:via-tests> -DOUTPUT=${boost_cases}
    "-DENVIRONMENT=${via_test_environment}" -P
    ${CMAKE_CURRENT_SOURCE_DIR}/cmake/discover-boost.cmake
  VERBATIM
)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/boost-include.cmake
     CONTENT [[
if(EXISTS "@boost_cases@")
  include("@boost_cases@")
else()
  add_test(boost.TheTestProgramWasNotBuilt false)
endif()
]] @ONLY
)
set_property(
  DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/boost-include.cmake
)
if(VIA_PYTHON)
  include(cmake/pytest.cmake)
endif()

# Shell tests, for what only a compiler's or a shell's exit code can say.
file(GLOB via_shell_tests CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/*/*.sh)
foreach(script ${via_shell_tests})
  get_filename_component(case ${script} NAME_WE)
  get_filename_component(folder ${script} DIRECTORY)
  get_filename_component(layer ${folder} NAME)
  add_test(NAME ${layer}.${case} COMMAND sh ${script})
  set_tests_properties(${layer}.${case} PROPERTIES LABELS quick TIMEOUT 120)
endforeach()
