/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Collects the output of programs until the run is over.

#ifndef VIA_PRINTED_TEXTS_H
#define VIA_PRINTED_TEXTS_H

#include "ns3/via-packet.h"

#include <string>
#include <vector>

namespace ns3
{
namespace via
{

/// A piece of program output.
struct PrintedText
{
    Ps at{0};
    NodeId host{0};
    int stream{1}; ///< 1 or 2
    std::string text;
};

/**
 * @brief Captures the output of this OS process' programs while it lives, instead of its streams.
 * Pipes from several OS processes have no common order; timestamps have.
 */
class PrintedTexts
{
  public:
    PrintedTexts();
    ~PrintedTexts();
    PrintedTexts(const PrintedTexts&) = delete;
    PrintedTexts& operator=(const PrintedTexts&) = delete;

    /// The live instance, or null.
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
