# Included by ctest: the entries of one Boost.Test program. VIA_BOOST_* come from the file that
# includes this one.
#
# A case suite/Case is the entry suite.Case. Where VIA_BOOST_PROFILES names a folder, it is one entry
# conformance.suite.PROFILE.Case for each PROFILE.toml there. They are thousands: only the first
# product's are run one by one before the night. In ci all run once, for the table of results in
# doc/conformance.md (tools/tests/test_conformance_table.py).
#
# A sanitized program takes longer to start than most cases take. There the cases of a suite and tier
# are one entry, suite.All-TIER, where `./via test` chooses no cases (an empty VIA_TEST_CHOSEN).

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

# Entries for what SELECTOR selects; NAME has a dot between suite and case.
macro(via_boost_entries name selector tier)
  if(VIA_BOOST_PROFILES)
    file(GLOB via_profiles ${VIA_BOOST_PROFILES}/*.toml)
    foreach(via_profile ${via_profiles})
      get_filename_component(via_profile ${via_profile} NAME_WE)
      set(via_tier ${tier})
      if(NOT via_profile STREQUAL via_quick_profile)
        set(via_tier night)
      endif()
      string(REPLACE "." ".${via_profile}." via_name ${name})
      via_boost_entry(
        conformance.${via_name} ${selector} ${via_tier} ${VIA_BOOST_ENVIRONMENT}
        VIA_TEST_PROFILE=${via_profile}
      )
    endforeach()
  else()
    via_boost_entry(${name} ${selector} ${tier} ${VIA_BOOST_ENVIRONMENT})
  endif()
endmacro()

macro(via_boost_case selector tier)
  get_filename_component(via_suite ${selector} DIRECTORY)
  get_filename_component(via_case ${selector} NAME)
  if(NOT via_suite)
    via_boost_entries(via.${via_case} ${selector} ${tier})
  elseif(via_by_suite)
    list(APPEND via_groups "${via_suite}.${tier}")
    list(APPEND "via_cases_of_${via_suite}.${tier}" ${via_case})
  else()
    string(REPLACE "/" "." via_name ${selector})
    via_boost_entries(${via_name} ${selector} ${tier})
  endif()
endmacro()

set(via_groups)
set(via_by_suite FALSE)
if(VIA_BOOST_SANITIZED AND DEFINED ENV{VIA_TEST_CHOSEN} AND "$ENV{VIA_TEST_CHOSEN}" STREQUAL "")
  set(via_by_suite TRUE)
endif()
if(EXISTS ${VIA_BOOST_CASES})
  include(${VIA_BOOST_CASES})
else()
  get_filename_component(via_name ${VIA_BOOST_PROGRAM} NAME)
  add_test(${via_name}.TheTestProgramWasNotBuilt false)
endif()

list(REMOVE_DUPLICATES via_groups)
foreach(via_group ${via_groups})
  string(REGEX MATCH "^(.*)\\.([a-z]+)$" via_matched ${via_group})
  set(via_suite ${CMAKE_MATCH_1})
  set(via_tier_of_group ${CMAKE_MATCH_2})
  list(JOIN "via_cases_of_${via_group}" "," via_names)
  unset("via_cases_of_${via_group}") # the next program's suite may have the same name
  string(REPLACE "/" "." via_name ${via_suite})
  via_boost_entries(
    ${via_name}.All-${via_tier_of_group} ${via_suite}/${via_names} ${via_tier_of_group}
  )
endforeach()
