-- SPDX-License-Identifier: GPL-2.0-only
-- A dissector for captures of simulated VIA packets: frames of version 1, see doc/capture.md.
--
--     wireshark -X lua_script:via.lua packets.pcapng
--
-- It takes all frames of link type USER0 (147) that begin with "VIAf". Whatever a frame holds, it is
-- shown as far as it goes: no field is read that is not there.

local MAGIC = 0x56494166 -- "VIAf"
local VERSION = 1
local HEADER = 168

local KIND = {
    [1] = "Send",
    [2] = "RDMA write",
    [3] = "RDMA read request",
    [4] = "RDMA read response",
    [16] = "Connect request",
    [17] = "Connect accept",
    [18] = "Connect reject",
    [19] = "Connect no match",
    [20] = "Peer request",
    [21] = "Peer accept",
    [22] = "Peer cancel",
    [23] = "Disconnect",
    [32] = "Response",
    [33] = "Acknowledge",
    [34] = "Negative acknowledge",
    [35] = "Acknowledge request",
    [36] = "Barrier step",
    [48] = "Datagram",
}
local SEND, RDMA_WRITE, READ_REQUEST, READ_RESPONSE = 1, 2, 3, 4
local CONNECT_REQUEST, CONNECT_ACCEPT, CONNECT_REJECT, CONNECT_NO_MATCH = 16, 17, 18, 19
local PEER_REQUEST, PEER_ACCEPT = 20, 21
local RESPONSE, ACKNOWLEDGE, NAK, ACK_REQUEST, BARRIER = 32, 33, 34, 35, 36
local DATAGRAM = 48

local DIRECTION = { [0] = "sent", [1] = "received" }
local RELIABILITY = {
    [1] = "unreliable delivery",
    [2] = "reliable delivery",
    [4] = "reliable reception",
}

local proto = Proto("via", "Virtual Interface Architecture (simulated)")
local f = {}

local function field(name, make, label, ...)
    f[name] = make("via." .. name, label, ...)
end

field("version", ProtoField.uint8, "Version")
field("header_length", ProtoField.uint8, "Header length")
field("flags", ProtoField.uint16, "Flags", base.HEX)
field("direction", ProtoField.uint16, "Direction", base.DEC, DIRECTION, 0x0001)
field("reliable", ProtoField.bool, "Reliable", 16, nil, 0x0002)
field("has_immediate", ProtoField.bool, "Immediate data", 16, nil, 0x0004)
field("resent", ProtoField.bool, "Sent again", 16, nil, 0x0008)
field("part", ProtoField.bool, "Some of its cells only", 16, nil, 0x0010)
field("lost", ProtoField.bool, "Cells were lost", 16, nil, 0x0020)
field("has_address", ProtoField.bool, "Remote address is known", 16, nil, 0x0040)
field("has_offset", ProtoField.bool, "Remote region is known", 16, nil, 0x0080)
field("kind", ProtoField.uint8, "Kind", base.DEC, KIND)
field("port_node", ProtoField.uint32, "Seen at the port of node")
field("first_bit", ProtoField.uint64, "First bit (ps)")
field("last_bit", ProtoField.uint64, "Last bit (ps)")
field("duration", ProtoField.uint64, "First to last bit (ps)")
field("src", ProtoField.uint32, "Source node")
field("vi.src", ProtoField.uint32, "Source VI")
field("dst", ProtoField.uint32, "Destination node")
field("vi.dst", ProtoField.uint32, "Destination VI")
field("node", ProtoField.uint32, "Source or destination node")
field("vi", ProtoField.uint32, "Source or destination VI")
field("seq", ProtoField.uint64, "Sequence: first cell in the channel")
field("ack", ProtoField.uint64, "Acknowledges cells of the other channel before")
field("era", ProtoField.uint64, "Era of the channel")
field("connection", ProtoField.uint64, "Connection", base.HEX)
field("descriptor", ProtoField.uint64, "Descriptor of the sender's queue")
field("length", ProtoField.uint32, "Payload length")
field("asked", ProtoField.uint32, "Bytes asked for or moved")
field("immediate", ProtoField.uint32, "Immediate data", base.HEX)
field("status", ProtoField.uint32, "Status for the sender's descriptor", base.HEX)
field("step", ProtoField.uint32, "Step of a barrier")
field("rdma.address", ProtoField.uint64, "Remote address", base.HEX)
field("rdma.offset", ProtoField.uint64, "Offset in the remote region")
field("rdma.handle", ProtoField.uint32, "Remote memory handle", base.HEX)
field("attempt", ProtoField.uint32, "Attempt")
field("cells", ProtoField.uint32, "Cells of the packet")
field("cells.first", ProtoField.uint32, "First cell seen")
field("cells.seen", ProtoField.uint32, "Cells seen")
field("part.offset", ProtoField.uint32, "Payload before it")
field("part.length", ProtoField.uint32, "Payload in it")
field("cells.lost", ProtoField.uint32, "Cells lost on the way")
field("cells.vanished", ProtoField.uint32, "Cells that the last wire swallowed")
field("credits.out", ProtoField.uint32, "Credits in use behind it")
field("credits.returned", ProtoField.uint64, "Credits returned before it")
field("payload", ProtoField.bytes, "Payload")
field("connect.max_transfer", ProtoField.uint64, "Maximum transfer size")
field("connect.qos", ProtoField.uint64, "Quality of service")
field("connect.reliability", ProtoField.uint16, "Reliability", base.DEC, RELIABILITY)
field("connect.rdma_write", ProtoField.bool, "RDMA write enabled")
field("connect.rdma_read", ProtoField.bool, "RDMA read enabled")
field("connect.local.host", ProtoField.ether, "Local host")
field("connect.local.discriminator", ProtoField.bytes, "Local discriminator")
field("connect.remote.host", ProtoField.ether, "Remote host")
field("connect.remote.discriminator", ProtoField.bytes, "Remote discriminator")
field("request_in", ProtoField.framenum, "Request in", base.NONE, frametype.REQUEST)
field("response_in", ProtoField.framenum, "Response in", base.NONE, frametype.RESPONSE)
field("response_time", ProtoField.uint64, "Time since the request (ps)")
field("sent_in", ProtoField.framenum, "Sent in", base.NONE)
field("received_in", ProtoField.framenum, "Received in", base.NONE)
field("flight_time", ProtoField.uint64, "Last bit sent to last bit received (ps)")

proto.fields = f

local e = {
    malformed = ProtoExpert.new("via.malformed", "Malformed frame", expert.group.MALFORMED,
        expert.severity.ERROR),
    version = ProtoExpert.new("via.unknown_version", "Unknown version", expert.group.UNDECODED,
        expert.severity.WARN),
    kind = ProtoExpert.new("via.unknown_kind", "Unknown kind", expert.group.UNDECODED,
        expert.severity.WARN),
    loss = ProtoExpert.new("via.loss", "Cells were lost on the way", expert.group.SEQUENCE,
        expert.severity.WARN),
    nak = ProtoExpert.new("via.nak", "The receiver misses cells", expert.group.SEQUENCE,
        expert.severity.NOTE),
    resent = ProtoExpert.new("via.retransmission", "Sent again", expert.group.SEQUENCE,
        expert.severity.NOTE),
    timeout = ProtoExpert.new("via.timeout", "The sender asks what has arrived",
        expert.group.SEQUENCE, expert.severity.NOTE),
    refused = ProtoExpert.new("via.refused", "The connection is refused",
        expert.group.RESPONSE_CODE, expert.severity.NOTE),
    failed = ProtoExpert.new("via.failed", "The peer reports an error",
        expert.group.RESPONSE_CODE, expert.severity.WARN),
}

proto.experts = { e.malformed, e.version, e.kind, e.loss, e.nak, e.resent, e.timeout, e.refused,
    e.failed }

-- What links frames, filled in the first pass: frame numbers and times by what two of them share.

local requests, answers, sendings, arrivals = {}, {}, {}, {}

function proto.init()
    requests, answers, sendings, arrivals = {}, {}, {}, {}
end

-- Header ---------------------------------------------------------------------------------------

local FLAGS = { "direction", "reliable", "has_immediate", "resent", "part", "lost", "has_address",
    "has_offset" }

local function read_header(tvb)
    local flags = tvb(6, 2):uint()
    return {
        kind = tvb(8, 1):uint(),
        received = flags % 2 == 1,
        reliable = bit.band(flags, 0x02) ~= 0,
        immediate = bit.band(flags, 0x04) ~= 0,
        resent = bit.band(flags, 0x08) ~= 0,
        part = bit.band(flags, 0x10) ~= 0,
        lost = bit.band(flags, 0x20) ~= 0,
        address = bit.band(flags, 0x40) ~= 0,
        offset = bit.band(flags, 0x80) ~= 0,
        first_bit = tvb(16, 8):uint64(),
        last_bit = tvb(24, 8):uint64(),
        src = tvb(32, 4):uint(),
        src_vi = tvb(36, 4):uint(),
        dst = tvb(40, 4):uint(),
        dst_vi = tvb(44, 4):uint(),
        seq = tvb(48, 8):uint64(),
        ack = tvb(56, 8):uint64(),
        connection = tvb(72, 8):uint64(),
        descriptor = tvb(80, 8):uint64(),
        length = tvb(88, 4):uint(),
        asked = tvb(92, 4):uint(),
        status = tvb(100, 4):uint(),
        cells = tvb(128, 4):uint(),
        first_cell = tvb(132, 4):uint(),
        seen_cells = tvb(136, 4):uint(),
        lost_cells = tvb(148, 4):uint(),
    }
end

local function ether(node)
    return string.format("02:00:00:00:%02x:%02x", math.floor(node / 256) % 256, node % 256)
end

local function is_rdma(kind)
    return kind == RDMA_WRITE or kind == READ_REQUEST or kind == READ_RESPONSE
end

local function is_connect(kind)
    return kind >= 16 and kind < 32
end

local function is_ack(kind)
    return kind >= ACKNOWLEDGE and kind <= ACK_REQUEST
end

local function add_ends(tree, tvb, h)
    local ends = tree:add(proto, tvb(32, 16), string.format("From node %u, VI %u to node %u, VI %u",
        h.src, h.src_vi, h.dst, h.dst_vi))
    ends:add(f["src"], tvb(32, 4))
    ends:add(f["vi.src"], tvb(36, 4))
    ends:add(f["dst"], tvb(40, 4))
    ends:add(f["vi.dst"], tvb(44, 4))
    for _, at in ipairs({ 32, 40 }) do
        ends:add(f["node"], tvb(at, 4)):set_hidden()
        ends:add(f["vi"], tvb(at + 4, 4)):set_hidden()
    end
end

local function add_times(tree, tvb, h)
    tree:add(f["first_bit"], tvb(16, 8))
    tree:add(f["last_bit"], tvb(24, 8))
    tree:add(f["duration"], tvb(16, 16), h.last_bit - h.first_bit):set_generated()
end

local function add_channel(tree, tvb, h)
    if h.reliable or is_ack(h.kind) then
        tree:add(f["seq"], tvb(48, 8))
        tree:add(f["ack"], tvb(56, 8))
        tree:add(f["era"], tvb(64, 8))
        tree:add(f["attempt"], tvb(124, 4))
    end
    if is_connect(h.kind) then
        tree:add(f["connection"], tvb(72, 8))
    end
end

local function add_message(tree, tvb, h)
    if h.kind <= READ_RESPONSE or h.kind == RESPONSE then
        tree:add(f["descriptor"], tvb(80, 8))
    end
    tree:add(f["length"], tvb(88, 4))
    if h.kind == READ_REQUEST or h.kind == READ_RESPONSE or h.kind == RESPONSE then
        tree:add(f["asked"], tvb(92, 4))
    end
    if h.immediate then
        tree:add(f["immediate"], tvb(96, 4))
    end
    if h.kind == RESPONSE or h.kind == READ_RESPONSE then
        tree:add(f["status"], tvb(100, 4))
    elseif h.kind == BARRIER then
        tree:add(f["step"], tvb(100, 4))
    end
    if is_rdma(h.kind) then
        if h.address then
            tree:add(f["rdma.address"], tvb(104, 8))
        end
        if h.offset then
            tree:add(f["rdma.offset"], tvb(112, 8))
        end
        tree:add(f["rdma.handle"], tvb(120, 4))
    end
end

local function add_cells(tree, tvb, h)
    tree:add(f["cells"], tvb(128, 4))
    tree:add(f["cells.first"], tvb(132, 4))
    tree:add(f["cells.seen"], tvb(136, 4))
    tree:add(f["part.offset"], tvb(140, 4))
    tree:add(f["part.length"], tvb(144, 4))
    if h.received then
        tree:add(f["cells.lost"], tvb(148, 4))
        tree:add(f["cells.vanished"], tvb(152, 4))
        tree:add(f["credits.returned"], tvb(160, 8))
    else
        tree:add(f["credits.out"], tvb(156, 4))
    end
end

-- Bodies of connection packets: numbers in them are little endian -------------------------------

local ATTRIBUTES = 24

-- Adds a text behind its length. Returns where it ends, or nothing if it is not all there.
local function add_text(tree, body, at, name)
    if at >= body:len() then
        return nil
    end
    local length = body(at, 1):uint()
    if at + 1 + length > body:len() then
        return nil
    end
    if length > 0 then
        tree:add(f[name], body(at + 1, length))
    end
    return at + 1 + length
end

local function add_body(tree, body, kind)
    if body:len() < ATTRIBUTES then
        return
    end
    tree:add_le(f["connect.max_transfer"], body(0, 8))
    tree:add_le(f["connect.qos"], body(8, 8))
    tree:add_le(f["connect.reliability"], body(16, 2))
    tree:add(f["connect.rdma_write"], body(18, 1))
    tree:add(f["connect.rdma_read"], body(19, 1))
    if kind ~= CONNECT_REQUEST and kind ~= PEER_REQUEST then
        return
    end
    local at = ATTRIBUTES
    for _, name in ipairs({ "local.host", "local.discriminator", "remote.host",
        "remote.discriminator" }) do
        at = at and add_text(tree, body, at, "connect." .. name)
    end
end

-- Frames that belong together ---------------------------------------------------------------------

local function is_request(kind)
    return (kind >= SEND and kind <= READ_REQUEST) or kind == CONNECT_REQUEST or
        kind == PEER_REQUEST
end

local function is_answer(kind)
    return kind == READ_RESPONSE or kind == RESPONSE or kind == PEER_ACCEPT or
        (kind >= CONNECT_ACCEPT and kind <= CONNECT_NO_MATCH)
end

-- What a request and its answer share at one port.
local function exchange_of(h, port)
    if is_connect(h.kind) then
        return string.format("%u c %s", port, h.connection:tohex())
    end
    local node, vi = h.src, h.src_vi
    if is_answer(h.kind) then
        node, vi = h.dst, h.dst_vi
    end
    return string.format("%u d %u %u %s", port, node, vi, h.descriptor:tohex())
end

-- What a packet has at both ends; equal ones arrive in the order in which they were sent.
local function identity_of(h)
    return string.format("%u %u %u %u %u %s %s %s %u %s", h.kind, h.src, h.src_vi, h.dst, h.dst_vi,
        h.seq:tohex(), h.descriptor:tohex(), h.connection:tohex(), h.first_cell,
        tostring(h.resent))
end

local function note_exchange(h, port, number)
    if is_request(h.kind) and not h.resent then
        local key = exchange_of(h, port)
        if not requests[key] then
            requests[key] = { number = number, at = h.last_bit }
        end
    elseif is_answer(h.kind) and not h.resent then
        local request = requests[exchange_of(h, port)]
        if request then
            answers[number] = { request = request.number, time = h.last_bit - request.at }
            request.answer = request.answer or number
        end
    end
end

local function note_flight(h, number)
    local key = identity_of(h)
    if not h.received then
        sendings[key] = sendings[key] or {}
        table.insert(sendings[key], { number = number, at = h.last_bit })
        return
    end
    local sent = sendings[key] and table.remove(sendings[key], 1)
    if sent then
        arrivals[number] = { sent = sent.number, time = h.last_bit - sent.at }
        arrivals[sent.number] = { received = number }
    end
end

local function add_links(tree, h, port, number)
    local request = is_request(h.kind) and requests[exchange_of(h, port)]
    if request and request.number == number and request.answer then
        tree:add(f["response_in"], request.answer):set_generated()
    end
    local answer = answers[number]
    if answer then
        tree:add(f["request_in"], answer.request):set_generated()
        tree:add(f["response_time"], answer.time):set_generated()
    end
    local flight = arrivals[number]
    if flight and flight.sent then
        tree:add(f["sent_in"], flight.sent):set_generated()
        tree:add(f["flight_time"], flight.time):set_generated()
    elseif flight then
        tree:add(f["received_in"], flight.received):set_generated()
    end
end

-- The line of a frame, and what is worth a warning -----------------------------------------------

local function info_of(h, tvb)
    local words = { string.format("%s %s VI %u > %u", h.received and "RX" or "TX",
        KIND[h.kind] or "Unknown", h.src_vi, h.dst_vi) }
    local function add(...)
        table.insert(words, string.format(...))
    end
    if (h.kind >= SEND and h.kind <= READ_RESPONSE) or h.kind == DATAGRAM then
        add("Len=%u", h.length)
    end
    if h.reliable or is_ack(h.kind) then
        add("Seq=%s Ack=%s", tostring(h.seq), tostring(h.ack))
    end
    if is_rdma(h.kind) and h.address then
        add("Addr=0x%s", tvb(104, 8):uint64():tohex())
    elseif is_rdma(h.kind) and h.offset then
        add("Offset=%s", tostring(tvb(112, 8):uint64()))
    end
    if h.immediate then
        add("Imm=0x%08x", tvb(96, 4):uint())
    end
    if is_connect(h.kind) then
        add("Conn=0x%s", h.connection:tohex())
    end
    if h.part then
        add("[%u of %u cells, from %u]", h.seen_cells, h.cells, h.first_cell)
    end
    if h.resent then
        add("[sent again]")
    end
    if h.lost then
        add("[%u cells lost]", h.lost_cells)
    end
    return table.concat(words, " ")
end

local ERRORS = 0x1fe -- bits of a status, see <vipl.h>

local function add_experts(tree, h)
    if not KIND[h.kind] then
        tree:add_proto_expert_info(e.kind)
    end
    if h.lost then
        tree:add_proto_expert_info(e.loss)
    end
    if h.resent then
        tree:add_proto_expert_info(e.resent)
    end
    if h.kind == NAK then
        tree:add_proto_expert_info(e.nak)
    elseif h.kind == ACK_REQUEST then
        tree:add_proto_expert_info(e.timeout)
    elseif h.kind == CONNECT_REJECT or h.kind == CONNECT_NO_MATCH then
        tree:add_proto_expert_info(e.refused)
    elseif h.kind == RESPONSE or h.kind == READ_RESPONSE then
        if bit.band(h.status, ERRORS) ~= 0 then
            tree:add_proto_expert_info(e.failed)
        end
    end
end

-- A datagram is an Ethernet frame of ns-3's IP stack: its own dissectors know it.
local ethernet = Dissector.get("eth_withoutfcs")

local function dissect_payload(tree, tvb, from, h, pinfo, root)
    local bytes = tvb:len() - from
    if bytes == 0 then
        return
    end
    local body = tvb(from, bytes)
    if h.kind == DATAGRAM then
        -- what is wrong inside, they have shown by the time it is an error here
        pcall(ethernet.call, ethernet, body:tvb(), pinfo, root)
    elseif is_connect(h.kind) then
        add_body(tree, body:tvb(), h.kind)
    else
        tree:add(f["payload"], body)
    end
end

function proto.dissector(tvb, pinfo, root)
    if tvb:len() < 6 or tvb(0, 4):uint() ~= MAGIC then
        return 0
    end
    pinfo.cols.protocol = "VIA"
    local tree = root:add(proto, tvb(), "Virtual Interface Architecture")
    tree:add(f["version"], tvb(4, 1))
    tree:add(f["header_length"], tvb(5, 1))
    if tvb(4, 1):uint() ~= VERSION then
        tree:add_proto_expert_info(e.version)
        return tvb:len()
    end
    local header = tvb(5, 1):uint()
    if header < HEADER or header > tvb:len() then
        tree:add_proto_expert_info(e.malformed)
        return tvb:len()
    end
    local h = read_header(tvb)
    local port = tvb(12, 4):uint()
    pinfo.src = Address.ether(ether(h.src))
    pinfo.dst = Address.ether(ether(h.dst))
    pinfo.src_port = h.src_vi
    pinfo.dst_port = h.dst_vi
    pinfo.cols.info = info_of(h, tvb)
    tree:append_text(", " .. (KIND[h.kind] or "unknown"))
    if not pinfo.visited then
        note_exchange(h, port, pinfo.number)
        note_flight(h, pinfo.number)
    end
    tree:add(f["kind"], tvb(8, 1))
    local flags = tree:add(f["flags"], tvb(6, 2))
    for _, name in ipairs(FLAGS) do
        flags:add(f[name], tvb(6, 2))
    end
    tree:add(f["port_node"], tvb(12, 4))
    add_times(tree, tvb, h)
    add_ends(tree, tvb, h)
    add_channel(tree, tvb, h)
    add_message(tree, tvb, h)
    add_cells(tree, tvb, h)
    add_links(tree, h, port, pinfo.number)
    add_experts(tree, h)
    dissect_payload(tree, tvb, header, h, pinfo, root)
    return tvb:len()
end

DissectorTable.get("wtap_encap"):add(wtap.USER0, proto)
