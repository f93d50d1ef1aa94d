/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
/* Internal to the shim: names of services. */

#ifndef VIA_SHIM_SERVICES_H
#define VIA_SHIM_SERVICES_H

/** The port of a service; -1 if its name is not known. @param protocol null: any */
int via_shim_service_port(const char* name, const char* protocol);

/** The name of the service at a port; null if none is known. @param protocol null: any */
const char* via_shim_service_name(int port, const char* protocol);

#endif /* VIA_SHIM_SERVICES_H */
