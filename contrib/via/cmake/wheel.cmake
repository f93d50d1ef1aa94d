# What the Python package holds besides the sources in python/via: `cmake --install --component python`,
# and so `pip install .`. Everything lies below the folder of the package, so it can be moved.
set(via_package via)

# The package's libraries find each other beside themselves, and an ns-3 tree where it was found.
set_target_properties(
  via _core PROPERTIES INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON
)
install(TARGETS via _core LIBRARY DESTINATION ${via_package} COMPONENT python)
install(
  TARGETS via-plug-in-two-level LIBRARY DESTINATION ${via_package}/examples/plug-ins
                                        COMPONENT python
)

# install_folder(FOLDER DESTINATION PATTERN...): files of the source tree, with their folders.
function(via_install_folder folder destination)
  set(matching)
  foreach(pattern ${ARGN})
    list(APPEND matching PATTERN ${pattern})
  endforeach()
  install(
    DIRECTORY ${folder}/
    DESTINATION ${via_package}/${destination}
    COMPONENT python
    FILES_MATCHING ${matching}
  )
endfunction()
via_install_folder(profiles profiles *.toml *.csv *.md)
via_install_folder(model/vipl/include include *.h *.hpp *.def)
via_install_folder(model/nic/include include *.h)
via_install_folder(programs/shim shim *.c *.cc *.h *.def *.map)
via_install_folder(wireshark wireshark *.lua)
via_install_folder(examples examples *.c *.h *.toml)
install(
  FILES programs/via-host-calls.h programs/via-refused-symbols.h
  DESTINATION ${via_package}/shim
  COMPONENT python
)

# The commit the package was made of; via.about() tells it.
execute_process(
  COMMAND git -C ${CMAKE_CURRENT_SOURCE_DIR} describe --always --dirty --abbrev=12
  OUTPUT_VARIABLE via_commit
  OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET
)
file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/built.json CONTENT "{\"git\": \"@via_commit@\"}\n"
     @ONLY
)
install(
  FILES ${CMAKE_CURRENT_BINARY_DIR}/built.json
  DESTINATION ${via_package}
  COMPONENT python
)
