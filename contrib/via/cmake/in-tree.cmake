# What the module has besides its library when it is built inside an ns-3 tree.

# The suite "via" of test.py runs the Boost.Test program, so that one is built with it.
if(ENABLE_TESTS)
  via_add_test_program(${libvia})
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
