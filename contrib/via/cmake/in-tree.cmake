# What the module has besides its library when it is built inside an ns-3 tree. Boost.Test and Python
# are optional there: what is missing is said, and left out.

option(VIA_BOOST_TESTS "Build the Boost.Test cases of via, for the suite via-boost" ON)
option(VIA_PYTHON "Build the Python module of via" OFF)

# Before build_lib makes the library of ns-3's suites: is "via-boost" one of them?
if(ENABLE_TESTS AND VIA_BOOST_TESTS)
  find_package(Boost 1.74 QUIET COMPONENTS unit_test_framework)
  if(NOT Boost_UNIT_TEST_FRAMEWORK_FOUND)
    message(STATUS "via: no Boost.Test here (Debian: libboost-test-dev): no suite via-boost")
    set(VIA_BOOST_TESTS OFF)
  endif()
endif()
if(VIA_PYTHON)
  find_package(pybind11 2.10 QUIET CONFIG)
  if(NOT pybind11_FOUND)
    message(STATUS "via: no pybind11 here (Debian: pybind11-dev): no Python module")
    set(VIA_PYTHON OFF)
  endif()
endif()
set(via_ns3_tests test/via-test-suite.cc)
if(VIA_BOOST_TESTS)
  list(APPEND via_ns3_tests test/via-bridge-test-suite.cc)
endif()

# What links the installed library has its packages in it already and need not look for them; but it
# has to find <vipl.h>.
function(via_export_itself_only)
  get_target_property(links ${libvia} INTERFACE_LINK_LIBRARIES)
  list(TRANSFORM links REPLACE "^(Boost|Threads|toml11|nlohmann_json)(::.*)" "$<BUILD_INTERFACE:\\1\\2>")
  set_target_properties(${libvia} PROPERTIES INTERFACE_LINK_LIBRARIES "${links}")
  target_include_directories(
    ${libvia} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/via>
  )
endfunction()

# After build_lib: the programs that its targets need or that need them.
function(via_add_in_tree_targets)
  if(ENABLE_TESTS AND VIA_BOOST_TESTS)
    via_add_test_program(${libvia})
    target_compile_definitions(
      ${libvia}-test PRIVATE VIA_TESTS_BINARY="$<TARGET_FILE:via-tests>"
    )
    add_dependencies(${libvia}-test via-tests)
  endif()
  if(VIA_PYTHON)
    include(cmake/python.cmake)
    via_add_python_module(_core ${libvia} ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/via)
  endif()
  include(cmake/install-data.cmake) # library and headers are build_lib's
  via_export_itself_only()
endfunction()
