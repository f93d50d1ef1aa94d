# What the module needs and how its library is compiled, in both worlds.

# via_find(PACKAGE VERSION DEBIAN-PACKAGE [COMPONENT...]): the package, or an error with its remedy.
# A macro: what find_package says is said to the folder that calls.
macro(via_find package version debian)
  find_package(${package} ${version} QUIET COMPONENTS ${ARGN})
  if(NOT ${package}_FOUND)
    message(
      FATAL_ERROR
        "via needs ${package} ${ARGN} ${version} or later, which CMake does not find. On Debian: "
        "apt-get install ${debian}"
    )
  endif()
endmacro()

via_find(Boost 1.74 libboost-context-dev context)
via_find(toml11 3.7 libtoml11-dev)
via_find(nlohmann_json 3.9 nlohmann-json3-dev)
find_package(Threads REQUIRED)

set(via_system_libraries Boost::context Threads::Threads ${CMAKE_DL_LIBS})

option(VIA_WERROR "Warnings of this project are errors" OFF)
option(VIA_SANITIZE "AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(VIA_PRECOMPILE "Precompile headers: faster for whole builds" OFF)
option(VIA_UNITY "Compile the sources of a folder together: faster for whole builds" OFF)

# Warnings for what we wrote; the reader of a warning is its author.
function(via_use_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wno-unused-parameter)
  if(VIA_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# via_precompile(TARGET HEADER...): what most sources of a target include, read once: twelve sources
# of tests took 15 s of CPU instead of 30. It hides a header that a source forgets to include; the
# preset debug does without, and the night builds it. ccache needs CCACHE_SLOPPINESS to serve such
# sources.
function(via_precompile target)
  if(VIA_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# via_unity(TARGET MOST): the sources of a folder, at most MOST of them, are one source for the compiler,
# which also sees more calls that it can inline: the library took 110 s of CPU instead of 380, tests a
# third. Names in unnamed namespaces must differ within a folder. What would give another meaning to
# those of other sources is compiled alone: NS_LOG, all of namespace ns3. The preset debug does without.
function(via_unity target most)
  if(NOT VIA_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # a class of one source may have members of its unnamed namespace: that source is included now
  target_compile_options(${target} PRIVATE -Wno-subobject-linkage -Wno-unknown-warning-option)
  get_target_property(sources ${target} SOURCES)
  set(number 0)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source)
    file(
      STRINGS ${source} alone
      REGEX "^(NS_LOG_COMPONENT_DEFINE|using namespace ns3;|#define BOOST_TEST_MODULE)"
      LIMIT_COUNT 1
    )
    if(NOT alone)
      cmake_path(GET source PARENT_PATH folder)
      cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/..)
      if(NOT folder STREQUAL last)
        set(number 0)
      endif()
      set(last ${folder})
      math(EXPR part "${number} / ${most}")
      math(EXPR number "${number} + 1")
      string(MAKE_C_IDENTIFIER "${folder}_${part}" group)
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${group}")
    endif()
  endforeach()
endfunction()

# Boost.Test's headers make `main` where these two want it.
set_source_files_properties(
  test/via-tests.cc test/conformance/via-conformance.cc PROPERTIES SKIP_PRECOMPILE_HEADERS ON
)

# The version: VERSION is the one place that has it.
file(STRINGS ${CMAKE_CURRENT_SOURCE_DIR}/VERSION via_version LIMIT_COUNT 1)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS VERSION)

# Where the profiles lie: as seen from the folder of an installed library, which can be moved, and
# until it is installed in the source tree.
include(GNUInstallDirs)
set(via_installed_profiles profiles)
if(NOT VIA_WHEEL)
  file(RELATIVE_PATH via_installed_profiles ${CMAKE_INSTALL_FULL_LIBDIR}
       ${CMAKE_INSTALL_FULL_DATADIR}/via/profiles
  )
endif()
set(via_profile_folders "VIA_INSTALLED_PROFILE_DIR=\"${via_installed_profiles}\""
                        "VIA_PROFILE_DIR=\"${CMAKE_CURRENT_SOURCE_DIR}/profiles\""
)
set_source_files_properties(
  profile/via-profile-finder.cc PROPERTIES COMPILE_DEFINITIONS "${via_profile_folders}"
)
# The folder of vipl.h, which simulated programs include with angle brackets.
set(via_program_include ${CMAKE_CURRENT_SOURCE_DIR}/model/vipl/include)

# A shared object with mechanisms for a card: via_add_plug_in(NAME SOURCE DEFINITION...). It is C,
# which the C++ compiler takes, too. Profiles are found by a path beside it.
function(via_add_plug_in name source)
  set(target via-plug-in-${name})
  add_library(${target} MODULE ${source})
  set_source_files_properties(${source} PROPERTIES LANGUAGE CXX)
  via_use_warnings(${target})
  target_compile_definitions(${target} PRIVATE ${ARGN})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/model/nic/include)
  set_target_properties(
    ${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY
                                                      ${CMAKE_BINARY_DIR}/plug-ins
  )
endfunction()

# The one that the examples ship.
via_add_plug_in(two-level examples/plug-ins/two-level.c)
configure_file(
  examples/plug-ins/two-level.toml ${CMAKE_BINARY_DIR}/plug-ins/two-level.toml COPYONLY
)

# A Boost.Test program: via_add_boost_program(NAME LIBRARY SOURCE...). What the tests themselves do is
# little and their headers are many: optimizing them costs more time than it saves, and twice as much
# of it under a sanitizer. What is undefined is looked for in the library; in tests, too, that would
# take half again as long to compile.
function(via_add_boost_program program library)
  find_package(Boost 1.74 REQUIRED COMPONENTS unit_test_framework)
  add_executable(${program} ${ARGN})
  target_compile_definitions(${program} PRIVATE BOOST_TEST_DYN_LINK)
  target_compile_options(
    ${program} PRIVATE -O0 $<$<BOOL:${VIA_SANITIZE}>:-fno-sanitize=undefined>
  )
  target_include_directories(${program} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/test)
  target_link_libraries(${program} PRIVATE ${library} Boost::unit_test_framework)
  via_precompile(
    ${program}
    <boost/test/data/test_case.hpp>
    <boost/test/unit_test.hpp>
    <algorithm>
    <iostream>
    <sstream>
    <ns3/via-cluster.h>
  )
endfunction()

# The test program of the module, linked to LIBRARY. test/programs holds what the tests compile with
# `./via cc` and run as simulated processes; test/conformance is a program of its own, test/external
# a module of somebody else's. Paths go into one source only: a compiler cache then serves all others
# from wherever they were built before.
function(via_add_test_program library)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/test/*/*.cc)
  list(FILTER sources EXCLUDE REGEX "/test/(programs|conformance|external)/")
  via_add_plug_in(every-part test/programs/plug-ins/every-part.c ABI=VIA_PLUG_IN_ABI)
  via_add_plug_in(other-abi test/programs/plug-ins/every-part.c ABI=0)
  via_add_plug_in(
    no-entry test/programs/plug-ins/every-part.c ABI=VIA_PLUG_IN_ABI ENTRY=via_plug_inn
  )
  via_add_boost_program(via-tests ${library} test/via-tests.cc ${sources})
  via_unity(via-tests 8)
  add_dependencies(
    via-tests via-plug-in-two-level via-plug-in-every-part via-plug-in-other-abi via-plug-in-no-entry
  )
  set(folders "VIA_SOURCE_DIR=\"${CMAKE_CURRENT_SOURCE_DIR}\""
              "VIA_BINARY_DIR=\"${CMAKE_BINARY_DIR}\""
  )
  set_source_files_properties(
    test/support/via-test-folders.cc PROPERTIES COMPILE_DEFINITIONS "${folders}"
  )
endfunction()
