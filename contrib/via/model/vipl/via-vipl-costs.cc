/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Host CPU costs of the VI Provider Library and its kernel agent, read from the profile.

#include "via-vipl-costs.h"

#include <string>

namespace ns3
{
namespace via
{

ViplCosts
ViplCosts::From(const ProviderProfile& profile)
{
    const auto cycles = [&profile](const std::string& key) { return Cycles(profile.Number(key)); };
    ViplCosts costs;
    costs.postSend = cycles("vipl.post_send");
    costs.postReceive = cycles("vipl.post_recv");
    costs.doneHit = cycles("vipl.done_hit");
    costs.doneMiss = cycles("vipl.done_miss");
    costs.cqDoneHit = cycles("vipl.cq_done_hit");
    costs.cqDoneMiss = cycles("vipl.cq_done_miss");
    costs.waitEnter = cycles("vipl.wait_enter");
    costs.query = cycles("vipl.query");
    costs.openNic = cycles("vipl.open_nic");
    costs.closeNic = cycles("vipl.close_nic");
    costs.createPtag = cycles("vipl.create_ptag");
    costs.destroyPtag = cycles("vipl.destroy_ptag");
    costs.registerBase = cycles("vipl.register_base");
    costs.registerPage = cycles("vipl.register_page") + cycles("os.page_pin");
    costs.deregisterBase = cycles("vipl.deregister_base");
    costs.deregisterPage = cycles("vipl.deregister_page") + cycles("os.page_unpin");
    costs.setAttributes = cycles("vipl.set_attributes");
    costs.createVi = cycles("vipl.create_vi");
    costs.destroyVi = cycles("vipl.destroy_vi");
    costs.createCq = cycles("vipl.create_cq");
    costs.destroyCq = cycles("vipl.destroy_cq");
    costs.resizeCq = cycles("vipl.resize_cq");
    costs.connectRequest = cycles("vipl.connect_request");
    costs.connectWait = cycles("vipl.connect_wait");
    costs.connectAccept = cycles("vipl.connect_accept");
    costs.connectReject = cycles("vipl.connect_reject");
    costs.disconnect = cycles("vipl.disconnect");
    costs.nameService = cycles("vipl.name_service");
    return costs;
}

} // namespace via
} // namespace ns3
