# Included by ctest: one entry per pytest case, listed anew when a Python file changed since.
# VIA_PYTEST_* come from the file that includes this one.

file(GLOB_RECURSE python_files ${VIA_PYTEST_ROOT}/*.py)
set(stale FALSE)
foreach(file ${python_files} ${VIA_PYTEST_TOOL})
  if(${file} IS_NEWER_THAN ${VIA_PYTEST_CASES})
    set(stale TRUE)
  endif()
endforeach()
if(stale)
  execute_process(
    COMMAND ${VIA_PYTEST_CMAKE} -E env ${VIA_PYTEST_ENVIRONMENT} ${VIA_PYTEST_PYTHON}
            ${VIA_PYTEST_TOOL} list ${VIA_PYTEST_ROOT} --results ${VIA_PYTEST_RESULTS}
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
else()
  include(${VIA_PYTEST_CASES})
endif()
