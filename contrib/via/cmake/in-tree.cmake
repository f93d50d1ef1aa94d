# What the module has besides its library when it is built inside an ns-3 tree.

# The suite "via" of test.py runs the Boost.Test program, so that one is built with it.
if(ENABLE_TESTS)
  find_package(Boost 1.74 REQUIRED COMPONENTS unit_test_framework)
  include(cmake/test-sources.cmake)
  add_executable(via-tests test/via-tests.cc ${via_test_sources})
  target_compile_definitions(
    via-tests PRIVATE BOOST_TEST_DYN_LINK VIA_SOURCE_DIR="${CMAKE_CURRENT_SOURCE_DIR}"
                      VIA_BINARY_DIR="${CMAKE_BINARY_DIR}"
  )
  target_include_directories(via-tests PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/test)
  target_link_libraries(via-tests PRIVATE ${libvia} Boost::unit_test_framework)
  target_compile_definitions(
    ${libvia}-test PRIVATE VIA_TESTS_BINARY="$<TARGET_FILE:via-tests>"
  )
  add_dependencies(${libvia}-test via-tests)
endif()

option(VIA_PYTHON "Build the Python module of via" OFF)
if(VIA_PYTHON)
  include(cmake/python.cmake)
  via_add_python_module(_core ${libvia} ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/via)
endif()
