# Writes one line per case of a Boost.Test program for boost-cases.cmake: its path and its tier.
# cmake -DPROGRAM=... -DOUTPUT=... -DENVIRONMENT=... -P discover-boost.cmake
#
# --list_content=DOT is the one listing that also names labels. A node's line is
#   tu7[...,label="Name|file(line)|labels: @ci"];   cases count from 65536, suites below
# and the children of a suite stand between braces of their own.

foreach(setting ${ENVIRONMENT})
  string(REGEX MATCH "^([^=]+)=(.*)$" setting "${setting}")
  set(ENV{${CMAKE_MATCH_1}} "${CMAKE_MATCH_2}")
endforeach()
execute_process(
  COMMAND ${PROGRAM} --list_content=DOT
  OUTPUT_VARIABLE listing
  ERROR_VARIABLE listing
  RESULT_VARIABLE failed
)
if(failed)
  message(FATAL_ERROR "${PROGRAM} --list_content=DOT failed:\n${listing}")
endif()
string(REGEX REPLACE "[;\\[]" " " listing "${listing}")
string(REPLACE "]" " " listing "${listing}")
string(REPLACE "\n" ";" listing "${listing}")

set(script "")
set(depth 0) # 1 inside the program, 2 inside a suite of it, ...
set(path_0 "")
set(path_1 "")
set(tier_0 quick)
set(tier_1 quick)
set(last_name "")
set(last_tier quick)
foreach(line ${listing})
  if(line MATCHES "^digraph")
    continue()
  elseif(line STREQUAL "{")
    math(EXPR parent "${depth}")
    math(EXPR depth "${depth} + 1")
    if(depth GREATER 1)
      set(path_${depth} "${path_${parent}}${last_name}/")
      set(tier_${depth} ${last_tier})
    endif()
  elseif(line STREQUAL "}")
    math(EXPR depth "${depth} - 1")
  elseif(line MATCHES "^tu([0-9]+) shape.*label=\"([^|\"]*)(.*)\"")
    set(id ${CMAKE_MATCH_1})
    set(last_name ${CMAKE_MATCH_2})
    set(rest "${CMAKE_MATCH_3}")
    set(last_tier ${tier_${depth}})
    foreach(tier ci night)
      if(rest MATCHES "@${tier}( |$|,)")
        set(last_tier ${tier})
      endif()
    endforeach()
    if(id GREATER_EQUAL 65536 AND NOT line MATCHES "color=yellow")
      set(selector "${path_${depth}}${last_name}")
      string(APPEND script "via_boost_case(${selector} ${last_tier})\n")
    endif()
  endif()
endforeach()
file(WRITE ${OUTPUT} "${script}")
