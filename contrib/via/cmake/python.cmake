# The pybind11 module, without pybind11_add_module: inside an ns-3 tree that one meets ns-3's own
# find_package(Python3), which may be another interpreter, and adds -flto, which some linkers drop.
function(via_add_python_module target link_to output_dir)
  if(VIA_WHEEL)
    set(VIA_PYTHON_EXECUTABLE ${Python_EXECUTABLE}) # pip's choice of today
  else()
    set(VIA_PYTHON_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "Interpreter to build the module for")
  endif()
  set(interpreter ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/interpreter.py)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${interpreter})
  execute_process(
    COMMAND ${VIA_PYTHON_EXECUTABLE} ${interpreter} --build
    OUTPUT_VARIABLE answer
    ERROR_VARIABLE complaint
    RESULT_VARIABLE failed
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_STRIP_TRAILING_WHITESPACE
  )
  if(failed)
    message(FATAL_ERROR "${VIA_PYTHON_EXECUTABLE}: ${complaint} (${failed})")
  endif()
  # ./via configures again when the interpreter answers something else
  file(WRITE ${CMAKE_BINARY_DIR}/interpreter.txt "${VIA_PYTHON_EXECUTABLE}\n${answer}\n")
  string(REPLACE "\n" ";" answer "${answer}")
  list(GET answer 0 python_include)
  list(GET answer 1 python_suffix)
  list(GET answer 2 least_pybind11)
  list(GET answer 3 python_pybind11)
  # pybind11's headers go with the interpreter, and another one may have been here before
  if(python_pybind11)
    set(pybind11_DIR ${python_pybind11} CACHE PATH "CMake files of the interpreter's pybind11" FORCE)
  elseif(pybind11_DIR MATCHES "/pybind11/share/cmake/pybind11$")
    unset(pybind11_DIR CACHE)
  endif()
  set(PYBIND11_NOPYTHON ON)
  find_package(pybind11 ${least_pybind11} REQUIRED CONFIG)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/bindings/*.cc)
  if(NOT sources)
    return()
  endif()
  set(ns3_release ${ns3_VERSION})
  if(NOT ns3_release)
    set(ns3_release "${NS3_VER}") # inside an ns-3 tree
  endif()
  set(versions "VIA_VERSION=\"${via_version}\"" "VIA_NS3_VERSION=\"${ns3_release}\"")
  set_source_files_properties(
    ${CMAKE_CURRENT_SOURCE_DIR}/bindings/bind-about.cc PROPERTIES COMPILE_DEFINITIONS "${versions}"
  )
  add_library(${target} MODULE ${sources})
  target_link_libraries(${target} PRIVATE ${link_to} pybind11::headers)
  target_include_directories(${target} SYSTEM PRIVATE ${python_include})
  via_use_warnings(${target})
  via_unity(${target} 100)
  via_precompile(
    ${target} <pybind11/functional.h> <pybind11/pybind11.h> <pybind11/stl.h> <ns3/via-cluster.h>
  )
  if(VIA_SANITIZE)
    target_compile_options(${target} PRIVATE -O0) # half the time that instrumented templates take
  endif()
  set_target_properties(
    ${target} PROPERTIES PREFIX "" SUFFIX "${python_suffix}" CXX_VISIBILITY_PRESET hidden
                         LIBRARY_OUTPUT_DIRECTORY ${output_dir}
  )
endfunction()
