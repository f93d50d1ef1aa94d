/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// What programs print, kept until the run is over.

#ifndef VIA_PRINTED_TEXTS_H
#define VIA_PRINTED_TEXTS_H

#include "ns3/via-packet.h"

#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// What a program has printed.
struct PrintedText
{
    Ps at{0};
    NodeId host{0};
    int stream{1}; ///< 1 or 2
    std::string text;
};

/**
 * @brief While it lives, what programs of this OS process print goes here and not to its streams.
 * Pipes of several OS processes have no common order; times have.
 */
class PrintedTexts
{
  public:
    PrintedTexts();
    ~PrintedTexts();
    PrintedTexts(const PrintedTexts&) = delete;
    PrintedTexts& operator=(const PrintedTexts&) = delete;

    /// The one that lives; null if none does.
    static PrintedTexts* Current();

    void Add(const PrintedText& text)
    {
        m_texts.push_back(text);
    }

    const std::vector<PrintedText>& Texts() const
    {
        return m_texts;
    }

  private:
    std::vector<PrintedText> m_texts;
};

} // namespace via
} // namespace ns3

#endif // VIA_PRINTED_TEXTS_H
