# Build of the module against an installed ns-3.
option(VIA_TESTS "Build the tests" ON)
option(VIA_EXAMPLES "Build the examples" ON)
option(VIA_PYTHON "Build the Python module" ON)
option(VIA_WHEEL "Build what `pip install` installs: a package that can be moved" OFF)
option(VIA_LOG "Enable NS_LOG in this module" ON)
option(VIA_ASSERT "Enable NS_ASSERT in this module" OFF)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

find_package(ns3 REQUIRED)
include(cmake/common.cmake)

# 3.37..3.42 export ns3::libcore, 3.43.. ns3::core.
function(via_ns3_target out name)
  if(TARGET ns3::${name})
    set(${out} ns3::${name} PARENT_SCOPE)
  elseif(TARGET ns3::lib${name})
    set(${out} ns3::lib${name} PARENT_SCOPE)
  else()
    message(FATAL_ERROR "ns-3 ${ns3_VERSION} has no module ${name}")
  endif()
endfunction()

# The C++ standard that ns-3's headers need; our own sources are C++17.
if(NOT DEFINED CMAKE_CXX_STANDARD)
  if(ns3_VERSION VERSION_GREATER_EQUAL 3.46)
    set(CMAKE_CXX_STANDARD 23)
  elseif(ns3_VERSION VERSION_GREATER_EQUAL 3.41)
    set(CMAKE_CXX_STANDARD 20)
  else()
    set(CMAKE_CXX_STANDARD 17)
  endif()
endif()
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# NS_LOG and NS_ASSERT are macros: each module decides for itself, whatever the libraries did.
if(VIA_LOG)
  add_compile_definitions(NS3_LOG_ENABLE)
endif()
if(VIA_ASSERT)
  add_compile_definitions(NS3_ASSERT_ENABLE)
endif()
if(VIA_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
endif()

# Sources include "ns3/foo.h"; lay our headers out like that, as ns-3 does.
set(via_include ${CMAKE_CURRENT_BINARY_DIR}/include)
set(via_module_h "#pragma once\n")
foreach(header ${via_headers})
  get_filename_component(name ${header} NAME)
  file(CONFIGURE OUTPUT ${via_include}/ns3/${name}
       CONTENT "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${header}\"\n"
  )
  string(APPEND via_module_h "#include \"ns3/${name}\"\n")
endforeach()
file(CONFIGURE OUTPUT ${via_include}/ns3/via-module.h CONTENT "${via_module_h}")

via_ns3_target(ns3_core core)
via_ns3_target(ns3_network network)
via_ns3_target(ns3_internet internet)

add_library(via SHARED ${via_sources})
add_library(ns3::via ALIAS via)
target_link_libraries(
  via PUBLIC ${ns3_core} ${ns3_network} ${ns3_internet} ${via_system_libraries} PRIVATE toml11::toml11
                                                                                        nlohmann_json::nlohmann_json
)
target_include_directories(
  via PUBLIC $<BUILD_INTERFACE:${via_include}> $<BUILD_INTERFACE:${via_program_include}>
)
via_use_warnings(via)
# Nobody replaces our functions at run time: calls between them may be inlined and need no PLT.
# -O3 is for the compiler that users have; the other one only compares digests.
target_compile_options(
  via PRIVATE -fno-semantic-interposition
              $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:-O3>
)
target_link_options(via PRIVATE -Wl,-Bsymbolic-functions)
via_unity(via 100)
via_precompile(
  via
  <algorithm>
  <array>
  <cstring>
  <deque>
  <functional>
  <iostream>
  <map>
  <memory>
  <optional>
  <sstream>
  <unordered_map>
  <ns3/abort.h>
  <ns3/log.h>
  <ns3/node.h>
  <ns3/simulator.h>
  <ns3/via-host.h>
  <ns3/via-provider-profile.h>
)
set_target_properties(via PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

include(cmake/mpi.cmake)

if(VIA_PYTHON)
  include(cmake/python.cmake)
  via_add_python_module(_core via ${CMAKE_BINARY_DIR}/python/via)
  via_add_partitions_module(_core)
endif()
if(VIA_WHEEL)
  include(cmake/wheel.cmake)
else()
  include(cmake/install.cmake)
endif()
if(VIA_TESTS)
  include(cmake/tests.cmake)
endif()
if(VIA_EXAMPLES)
  add_subdirectory(examples)
endif()
