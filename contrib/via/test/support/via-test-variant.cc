/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Cards that differ from the shipped one in their mechanisms.

#include "via-test-variant.h"

#include "via-test-folders.h"

#include "ns3/via-profile-schema.h"

namespace ns3
{
namespace via
{
namespace test
{

namespace
{

/// The lines of a profile: headings, leaves and the text between them.
class ProfileLines
{
  public:
    explicit ProfileLines(const std::string& text)
    {
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);)
        {
            m_lines.push_back(line);
        }
    }

    void Set(const ProfileKey& key, const std::string& value)
    {
        const bool quoted = key.kind == ProfileKind::WORD || key.kind == ProfileKind::CLOCK;
        const std::string shown = quoted ? '"' + value + '"' : value;
        const std::string line = Leaf(key) + " = { value = " + shown + ", unit = \"" + key.unit +
                                 R"(", source = "a test", trust = "assumed" })";
        const std::size_t at = Find(key);
        if (at != m_lines.size())
        {
            m_lines[at] = line;
            return;
        }
        const std::string table = "[" + Table(key) + "]";
        if (std::find(m_lines.begin(), m_lines.end(), table) == m_lines.end())
        {
            m_lines.push_back(table);
        }
        const auto heading = std::find(m_lines.begin(), m_lines.end(), table);
        m_lines.insert(heading + 1, line);
    }

    void Drop(const ProfileKey& key)
    {
        const std::size_t at = Find(key);
        if (at != m_lines.size())
        {
            m_lines.erase(m_lines.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }

    std::string Word(const std::string& name) const
    {
        const std::size_t at = Find(*FindProfileKey(name));
        if (at == m_lines.size())
        {
            return "";
        }
        const std::size_t from = m_lines[at].find('"') + 1;
        return m_lines[at].substr(from, m_lines[at].find('"', from) - from);
    }

    std::string Text() const
    {
        std::string text;
        for (const std::string& line : m_lines)
        {
            text += line + "\n";
        }
        return text;
    }

  private:
    static std::string Table(const ProfileKey& key)
    {
        return key.key.substr(0, key.key.find('.'));
    }

    static std::string Leaf(const ProfileKey& key)
    {
        return key.key.substr(key.key.find('.') + 1);
    }

    /// Index of the key's line; the number of lines if it has none.
    std::size_t Find(const ProfileKey& key) const
    {
        std::string table;
        for (std::size_t i = 0; i < m_lines.size(); ++i)
        {
            const std::string& line = m_lines[i];
            if (!line.empty() && line[0] == '[')
            {
                table = line.substr(1, line.find(']') - 1);
            }
            if (table == Table(key) && line.rfind(Leaf(key) + " = ", 0) == 0)
            {
                return i;
            }
        }
        return m_lines.size();
    }

    std::vector<std::string> m_lines;
};

/// The kernel path entered by a system call, with a copy at either end.
Changes
CopyingKernel()
{
    Changes changes = KernelPath();
    changes.erase("vipl.trap");
    changes["nic.doorbell"] = "system-call";
    changes["nic.send_copy"] = "1";
    return changes;
}

} // namespace

Changes
operator+(Changes first, const Changes& second)
{
    for (const auto& [key, value] : second)
    {
        first[key] = value;
    }
    return first;
}

Changes
Firmware()
{
    return {{"nic.processor", "firmware"},
            {"nic.dma_engines", "1"},
            {"nic.dma_start", "20"},
            {"nic.send_residual", "10"}};
}

Changes
PolledWords()
{
    return {{"nic.doorbell", "polled-word"}, {"nic.poll_loop", "30"}, {"nic.poll_vi", "7"}};
}

Changes
PioDescriptors()
{
    return {{"nic.descriptor", "pio-write"}, {"nic.descriptor_read", "9"}};
}

Changes
CachedTable()
{
    return {{"nic.translation", "nic-cache"},
            {"nic.tlb_entries", "64"},
            {"nic.tlb_ways", "2"},
            {"nic.tlb_replacement", "lru"},
            {"nic.tlb_prefetch", "1"},
            {"nic.tlb_entry_bytes", "8"},
            {"nic.tlb_hit", "3"},
            {"nic.tlb_miss", "11"}};
}

Changes
StoreAndForward()
{
    return {{"nic.data", "store-and-forward"},
            {"nic.store_bytes", "4608"},
            {"nic.transmit_buffer", "9216"}};
}

Changes
KernelPath()
{
    return {{"nic.processor", "host"},
            {"nic.doorbell", "fast-trap"},
            {"vipl.trap", "300"},
            {"nic.descriptor", "kernel"},
            {"vipl.kernel_descriptor", "200"},
            {"nic.ring_entry_bytes", "16"},
            {"nic.translation", "kernel"},
            {"vipl.kernel_translate", "90"},
            {"nic.data", "kernel-copy"},
            {"nic.send_copy", "0"},
            {"nic.completion", "interrupt"},
            {"nic.coalesce_frames", "1"},
            {"nic.coalesce_delay", "0"},
            {"vipl.kernel_send", "150"},
            {"vipl.kernel_receive", "250"},
            {"vipl.kernel_residual", "170"},
            {"link.cell_bytes", "1500"},
            {"link.cell_payload", "1440"},
            {"nic.dma_burst", "1440"},
            {"nic.transmit_buffer", "14400"}};
}

Changes
PlugIn()
{
    return {{"nic.doorbell", "plug-in"},
            {"nic.descriptor", "plug-in"},
            {"nic.translation", "plug-in"},
            {"nic.plug_in", "every-part.so"},
            {"plug_in.ring_cycles", "31"},
            {"plug_in.ring_bytes", "8"},
            {"plug_in.notice_cycles", "7"},
            {"plug_in.notice_read", "16"},
            {"plug_in.post_cycles", "41"},
            {"plug_in.post_bytes", "32"},
            {"plug_in.take_cycles", "11"},
            {"plug_in.take_read", "64"},
            {"plug_in.take_write", "4"},
            {"plug_in.look_up_cycles", "13"},
            {"plug_in.look_up_read", "24"}};
}

std::vector<NamedChanges>
AllVariants()
{
    return {
        {"pipeline", {}},
        {"firmware", Firmware()},
        {"two chained engines", {{"nic.dma_start", "15"}, {"nic.dma_chaining", "1"}}},
        {"short FIFO", {{"nic.doorbell_depth", "1"}}},
        {"polled words", PolledWords()},
        {"prefetch", {{"nic.descriptor_prefetch", "2"}}},
        {"written descriptors", PioDescriptors()},
        {"cached table", CachedTable()},
        {"store and forward", StoreAndForward()},
        {"early Myrinet",
         Firmware() + PolledWords() + CachedTable() + StoreAndForward() +
             Changes{{"nic.descriptor_prefetch", "1"}}},
        {"FirmVIA", Firmware() + PolledWords() + PioDescriptors()},
        {"plug-in", PlugIn()},
        {"kernel", KernelPath()},
        {"kernel that copies twice",
         CopyingKernel() + Changes{{"nic.coalesce_frames", "4"}, {"nic.coalesce_delay", "20"}}},
    };
}

Variant::Variant(const Changes& changes)
{
    ProfileLines lines(FileText(m_bench.Card()));
    for (const auto& [key, value] : changes)
    {
        const ProfileKey* known = FindProfileKey(key);
        BOOST_REQUIRE_MESSAGE(known != nullptr, key);
        ProfileKey named = *known;
        named.key = key;
        named.unit = named.unit.empty() ? "as a test likes" : named.unit;
        lines.Set(named, value);
    }
    for (const ProfileKey& key : ProfileKeys())
    {
        const auto word = [&lines](const std::string& name) { return lines.Word(name); };
        if (key.scope == ProfileScope::PRODUCT && changes.count(key.key) == 0 && !IsUsed(key, word))
        {
            lines.Drop(key);
        }
    }
    std::ofstream(m_bench.Card()) << lines.Text();
    const fs::path plugIn = BuildFolder() / "plug-ins" / lines.Word("nic.plug_in");
    if (fs::is_regular_file(plugIn))
    {
        fs::copy_file(plugIn, fs::path(m_bench.Card()).parent_path() / plugIn.filename());
    }
}

ClusterConfig
Variant::Recorded(const std::string& topology, std::uint32_t nodes) const
{
    ClusterConfig config = test::Recorded(topology, nodes);
    config.profile = Path();
    config.allowPlugIns = true;
    return config;
}

StageSum
SumOf(const std::vector<BreakdownRow>& rows, const std::string& stage)
{
    StageSum sum;
    for (const BreakdownRow& row : rows)
    {
        if (row.stage == stage)
        {
            sum.start = sum.rows == 0 ? row.start : sum.start;
            sum.end = row.end;
            sum.cycles += row.cycles;
            ++sum.rows;
        }
    }
    return sum;
}

std::vector<BreakdownRow>
PingPongRows(const Variant& card, std::uint32_t size, std::uint32_t sequence)
{
    const WorkloadRun run = RunWorkload(card.Recorded("star", 2),
                                        "ping-pong",
                                        {{"size", std::to_string(size)}, {"rounds", "3"}});
    BOOST_TEST(EveryMessageIsTiled(run));
    return RowsOf(run, "0.0." + std::to_string(sequence));
}

} // namespace test
} // namespace via
} // namespace ns3
