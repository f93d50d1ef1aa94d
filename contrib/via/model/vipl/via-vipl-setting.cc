/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Library settings of a run: costs, the product's behavior, the cluster.

#include "via-vipl-setting.h"

namespace ns3
{
namespace via
{

ViplRules
ViplRules::From(const ProviderProfile& profile)
{
    const auto is = [&profile](const std::string& key) { return profile.Number(key) != 0; };
    ViplRules rules;
    rules.deviceName = profile.Title();
    rules.nullTag = is("vipl.null_tag");
    rules.sharedHandles = is("vipl.shared_handles");
    rules.extensions = is("vipl.extensions");
    rules.tagInUseIsInvalid = profile.Word("vipl.tag_in_use") == "invalid-parameter";
    return rules;
}

} // namespace via
} // namespace ns3
