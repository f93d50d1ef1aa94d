/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Provider profiles for Python.

#include "via-bindings.h"

#include "ns3/via-dma-rate.h"
#include "ns3/via-error.h"
#include "ns3/via-nesting.h"
#include "ns3/via-profile-reader.h"
#include "ns3/via-profile-schema.h"
#include "ns3/via-provider-profile.h"

#include <map>
#include <pybind11/stl.h>
#include <string>

namespace py = pybind11;

namespace ns3
{
namespace via
{

void
BindProfile(py::module_& module)
{
    py::class_<ProfileEntry>(module, "ProfileEntry")
        .def_readonly("key", &ProfileEntry::key)
        .def_readonly("value", &ProfileEntry::value)
        .def_readonly("unit", &ProfileEntry::unit)
        .def_readonly("source", &ProfileEntry::source)
        .def_readonly("trust", &ProfileEntry::trust)
        .def_readonly("file", &ProfileEntry::file)
        .def_readonly("line", &ProfileEntry::line);

    py::class_<ProviderProfile>(module, "Profile")
        .def_property_readonly("name", &ProviderProfile::Name)
        .def_property_readonly("title", &ProviderProfile::Title)
        .def_property_readonly("sketch", &ProviderProfile::Sketch)
        .def_property_readonly("host", &ProviderProfile::Host)
        .def_property_readonly("kernel", &ProviderProfile::Kernel)
        .def_property_readonly("fingerprint", &ProviderProfile::Fingerprint)
        .def_property_readonly("entries", &ProviderProfile::Entries)
        .def_property_readonly("plug_in_file", &ProviderProfile::PlugIn)
        .def("with_value",
             py::overload_cast<const std::string&, const std::string&>(&ProviderProfile::With,
                                                                       py::const_),
             py::arg("key"),
             py::arg("value"))
        .def("with_values",
             py::overload_cast<const std::map<std::string, std::string>&>(&ProviderProfile::With,
                                                                          py::const_),
             py::arg("changes"))
        .def("with_kernel", &ProviderProfile::WithKernel, py::arg("kernel") = "");

    py::class_<ProfileKey>(module, "ProfileKey")
        .def_readonly("key", &ProfileKey::key)
        .def_readonly("meaning", &ProfileKey::meaning)
        .def_readonly("only_if", &ProfileKey::onlyIf)
        .def_property_readonly("scope",
                               [](const ProfileKey& key) {
                                   return key.scope == ProfileScope::HOST      ? "host"
                                          : key.scope == ProfileScope::PRODUCT ? "product"
                                                                               : "kernel";
                               })
        .def_property_readonly("allowed", &DescribeAllowed);

    module.def(
        "profile_key",
        [](const std::string& name) {
            const ProfileKey* key = FindProfileKey(name);
            if (key == nullptr)
            {
                throw ConfigError("key = " + name + ": no profile has such a key");
            }
            return *key;
        },
        py::arg("name"));
    module.def("profile_keys", [] {
        std::vector<std::string> names;
        for (const ProfileKey& key : ProfileKeys())
        {
            names.push_back(key.key);
        }
        return names;
    });
    module.def(
        "dma_time_ps",
        [](const ProviderProfile& profile,
           const std::string& test,
           std::uint32_t bytes,
           std::uint32_t bursts) {
            static const std::map<std::string, DmaTest> tests = {{"read", DmaTest::READ},
                                                                 {"write", DmaTest::WRITE},
                                                                 {"both", DmaTest::BOTH}};
            const auto found = tests.find(test);
            if (found == tests.end())
            {
                throw ConfigError("test", test, "must be one of: read, write, both");
            }
            if (bytes == 0 || bursts == 0)
            {
                throw ConfigError(bytes == 0 ? "bytes" : "bursts", "0", "must be at least 1");
            }
            return DmaTime(HostCosts::From(profile), found->second, bytes, bursts);
        },
        py::arg("profile"),
        py::arg("test"),
        py::arg("bytes"),
        py::arg("bursts"));
    module.def("load_profile",
               &ProviderProfile::Load,
               py::arg("name_or_path"),
               py::arg("host"),
               py::arg("kernel") = "");
    module.def("profile_names", &ProductNames);
    module.def("check_nesting", &CheckNesting, py::arg("text"), py::arg("name"));
    module.def("profile_folder", &ProfileFolder);
}

} // namespace via
} // namespace ns3
