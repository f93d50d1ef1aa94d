# Runs on several MPI ranks: `via-partitions` and the Python module `via._partitions`, where there is ns-3's
# module mpi. Debian's ns-3 has none; `./via setup --mpi` puts it into VIA_NS3_MPI.
set(VIA_NS3_MPI
    "${CMAKE_CURRENT_SOURCE_DIR}/../../.cache/ns3-mpi"
    CACHE PATH "Where ns-3's module mpi is installed, if ns-3 was built without it"
)
set(via_mpi_libraries)
if(TARGET ns3::mpi OR TARGET ns3::libmpi)
  via_ns3_target(ns3_mpi mpi)
  set(via_mpi_libraries ${ns3_mpi})
elseif(EXISTS ${VIA_NS3_MPI}/include/ns3/mpi-interface.h)
  find_library(via_ns3_mpi_library ns3-mpi PATHS ${VIA_NS3_MPI}/lib NO_DEFAULT_PATH REQUIRED)
  set(via_mpi_libraries ${via_ns3_mpi_library})
endif()
if(via_mpi_libraries)
  find_package(MPI REQUIRED COMPONENTS CXX)
  add_library(
    via-partition-run OBJECT mpi/via-partition-run.cc mpi/via-partition-task.cc mpi/via-mpi-sender.cc
  )
  target_include_directories(via-partition-run SYSTEM PUBLIC ${VIA_NS3_MPI}/include)
  target_compile_definitions(via-partition-run PUBLIC NS3_MPI)
  target_link_libraries(
    via-partition-run PUBLIC via ${via_mpi_libraries} MPI::MPI_CXX nlohmann_json::nlohmann_json
  )
  via_use_warnings(via-partition-run)
  set_target_properties(via-partition-run PROPERTIES POSITION_INDEPENDENT_CODE ON)
  add_executable(via-partitions mpi/via-partitions.cc)
  target_link_libraries(via-partitions PRIVATE via-partition-run)
  via_use_warnings(via-partitions)
  set_target_properties(via-partitions PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
endif()

# The Python module, beside TARGET, which via_add_python_module has made.
function(via_add_partitions_module target)
  if(NOT TARGET via-partition-run OR NOT TARGET ${target})
    return()
  endif()
  add_library(_partitions MODULE mpi/bind-partitions.cc)
  target_link_libraries(_partitions PRIVATE via-partition-run pybind11::headers)
  via_use_warnings(_partitions)
  foreach(property INCLUDE_DIRECTORIES PREFIX SUFFIX CXX_VISIBILITY_PRESET LIBRARY_OUTPUT_DIRECTORY)
    get_target_property(value ${target} ${property})
    set_target_properties(_partitions PROPERTIES ${property} "${value}")
  endforeach()
endfunction()
