# What is installed besides the library and its headers, inside an ns-3 tree as well as outside of
# one: profiles, the headers of programs and plug-ins, and what compiles programs (via-cc).
#
#   include/via   <vipl.h>, <vipl.hpp>, <via-plug-in.h>
#   share/via     profiles, examples, shim, the dissector for Wireshark
#   bin/via-cc    `via cc` without the Python package
set(via_data ${CMAKE_INSTALL_DATADIR}/via)

# via_install_files(FOLDER DESTINATION PATTERN...): files of the source tree, with their folders.
function(via_install_files folder destination)
  set(matching)
  foreach(pattern ${ARGN})
    list(APPEND matching PATTERN ${pattern})
  endforeach()
  install(
    DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/
    DESTINATION ${destination}
    FILES_MATCHING ${matching}
  )
endfunction()
via_install_files(model/vipl/include ${CMAKE_INSTALL_INCLUDEDIR}/via *.h *.hpp *.def)
via_install_files(model/nic/include ${CMAKE_INSTALL_INCLUDEDIR}/via *.h)
via_install_files(profiles ${via_data}/profiles *.toml *.csv *.md)
via_install_files(programs/shim ${via_data}/shim *.c *.cc *.h *.def *.map)
via_install_files(wireshark ${via_data}/wireshark *.lua)
via_install_files(examples ${via_data}/examples *.c *.h *.toml)
install(FILES programs/via-host-calls.h programs/via-refused-symbols.h DESTINATION ${via_data}/shim)

# The compiler driver is a script of the Python package that needs nothing of it.
set(via_compiler ${CMAKE_CURRENT_SOURCE_DIR}/../../python/via/_programs/compiler.py)
if(EXISTS ${via_compiler})
  install(FILES ${via_compiler} DESTINATION ${via_data})
  file(RELATIVE_PATH via_data_of_bin ${CMAKE_INSTALL_FULL_BINDIR}
       ${CMAKE_INSTALL_FULL_DATADIR}/via
  )
  configure_file(cmake/install/via-cc.in ${CMAKE_CURRENT_BINARY_DIR}/via-cc @ONLY)
  install(PROGRAMS ${CMAKE_CURRENT_BINARY_DIR}/via-cc DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
