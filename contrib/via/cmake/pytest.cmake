# pytest cases as ctest entries. They belong to the whole project: the module alone has none.
get_filename_component(via_root ${CMAKE_CURRENT_SOURCE_DIR}/../.. ABSOLUTE)
set(pytest_roots)
foreach(folder python/tests tools/tests)
  if(IS_DIRECTORY ${via_root}/${folder})
    list(APPEND pytest_roots ${via_root}/${folder})
  endif()
endforeach()
if(NOT pytest_roots)
  return()
endif()

set(pytest_path "${via_root}/python:${CMAKE_BINARY_DIR}/python")
if(NOT VIA_SANITIZE)
  string(APPEND pytest_path ":${via_root}/.cache/extras") # pyarrow, Bokeh, once `./via setup --ci` has them
endif()
set(python_environment ${via_test_environment})
if(VIA_SANITIZE)
  # The interpreter is not instrumented: the sanitizer's runtime has to come first.
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libasan.so
    OUTPUT_VARIABLE asan_runtime
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  file(REAL_PATH ${asan_runtime} asan_runtime)
  # ASan looks for the C++ runtime's throw when it starts, and Python brings none.
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libstdc++.so.6
    OUTPUT_VARIABLE cxx_runtime
    OUTPUT_STRIP_TRAILING_WHITESPACE
  )
  list(APPEND python_environment "LD_PRELOAD=${asan_runtime}:${cxx_runtime}")
  list(TRANSFORM python_environment REPLACE "^ASAN_OPTIONS=" "ASAN_OPTIONS=detect_leaks=0:")
  list(JOIN python_environment "\n" python_lines)
  file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/python-environment CONTENT "${python_lines}\n") # for ./via
endif()
set(pytest_environment ${python_environment} "PYTHONPATH=${pytest_path}"
                       "VIA_BUILD_DIR=${CMAKE_BINARY_DIR}"
)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/pytest-include.cmake
     CONTENT [[
set(VIA_PYTEST_SETTINGS "@CMAKE_CURRENT_BINARY_DIR@/pytest-include.cmake" "@via_root@/README.md")
set(VIA_PYTEST_ROOTS "@pytest_roots@")
set(VIA_PYTEST_SOURCES "@via_root@/python" "@via_root@/tools" "@via_root@/doc"
    "@via_root@/contrib/via/doc" "@via_root@/contrib/via/profiles")
set(VIA_PYTEST_TOOL "@via_root@/tools/pytest_cases.py")
set(VIA_PYTEST_CASES "@CMAKE_CURRENT_BINARY_DIR@/pytest-cases.cmake")
set(VIA_PYTEST_RESULTS "@CMAKE_CURRENT_BINARY_DIR@/pytest")
set(VIA_PYTEST_CMAKE "@CMAKE_COMMAND@")
set(VIA_PYTEST_PYTHON "@VIA_PYTHON_EXECUTABLE@")
set(VIA_PYTEST_ENVIRONMENT "@pytest_environment@")
include("@CMAKE_CURRENT_SOURCE_DIR@/cmake/discover-pytest.cmake")
]] @ONLY
)
set_property(
  DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${CMAKE_CURRENT_BINARY_DIR}/pytest-include.cmake
)
