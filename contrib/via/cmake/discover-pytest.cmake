# Included by ctest: one entry per pytest case, listed anew when a Python file, a page, a profile or a
# table changed since (cases are made of their rows and blocks), or the file that includes this one.
# VIA_PYTEST_* come from the file that includes this one.

set(stale FALSE)
set(sources)
foreach(folder ${VIA_PYTEST_SOURCES})
  file(GLOB_RECURSE found ${folder}/*.py ${folder}/*.md ${folder}/*.toml ${folder}/*.csv)
  list(APPEND sources ${found})
endforeach()
foreach(file ${sources} ${CMAKE_CURRENT_LIST_FILE} ${VIA_PYTEST_SETTINGS})
  if(${file} IS_NEWER_THAN ${VIA_PYTEST_CASES})
    set(stale TRUE)
  endif()
endforeach()
if(stale)
  execute_process(
    COMMAND ${VIA_PYTEST_CMAKE} -E env ${VIA_PYTEST_ENVIRONMENT} ${VIA_PYTEST_PYTHON}
            ${VIA_PYTEST_TOOL} list ${VIA_PYTEST_ROOTS} --results ${VIA_PYTEST_RESULTS}
            --output ${VIA_PYTEST_CASES}
    ERROR_VARIABLE errors
    RESULT_VARIABLE failed
  )
  if(failed)
    message("${errors}")
  endif()
endif()
if(failed OR NOT EXISTS ${VIA_PYTEST_CASES})
  add_test(pytest.TheCasesCanBeListed false)
  set_tests_properties(pytest.TheCasesCanBeListed PROPERTIES LABELS quick)
else()
  include(${VIA_PYTEST_CASES})
endif()
