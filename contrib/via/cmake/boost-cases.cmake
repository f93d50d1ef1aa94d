# Included by ctest: the entries of one Boost.Test program. VIA_BOOST_* come from the file that
# includes this one.
#
# A case suite/Case is the entry suite.Case. Where VIA_BOOST_PROFILES names a folder, it is one entry
# conformance.suite.PROFILE.Case for each PROFILE.toml there. They are thousands: only the first
# product's are run one by one before the night. In ci all run once, for the table of results in
# doc/conformance.md (tools/tests/test_conformance_table.py).

set(via_timeout_quick 600)
set(via_timeout_ci 3600)
set(via_timeout_night 14400)
set(via_quick_profile giganet-clan1000)

macro(via_boost_entry name selector tier)
  add_test(${name} "${VIA_BOOST_PROGRAM}" --run_test=${selector} --catch_system_errors=no)
  set_tests_properties(
    ${name} PROPERTIES LABELS ${tier} TIMEOUT ${via_timeout_${tier}} ENVIRONMENT "${ARGN}"
  )
endmacro()

macro(via_boost_case selector tier)
  if(VIA_BOOST_PROFILES)
    file(GLOB via_profiles ${VIA_BOOST_PROFILES}/*.toml)
    foreach(via_profile ${via_profiles})
      get_filename_component(via_profile ${via_profile} NAME_WE)
      set(via_tier ${tier})
      if(NOT via_profile STREQUAL via_quick_profile)
        set(via_tier night)
      endif()
      string(REPLACE "/" ".${via_profile}." via_name ${selector})
      via_boost_entry(
        conformance.${via_name} ${selector} ${via_tier} ${VIA_BOOST_ENVIRONMENT}
        VIA_TEST_PROFILE=${via_profile}
      )
    endforeach()
  else()
    string(REPLACE "/" "." via_name ${selector})
    if(NOT via_name MATCHES "\\.")
      set(via_name via.${via_name})
    endif()
    via_boost_entry(${via_name} ${selector} ${tier} ${VIA_BOOST_ENVIRONMENT})
  endif()
endmacro()

if(EXISTS ${VIA_BOOST_CASES})
  include(${VIA_BOOST_CASES})
else()
  get_filename_component(via_name ${VIA_BOOST_PROGRAM} NAME)
  add_test(${via_name}.TheTestProgramWasNotBuilt false)
endif()
