/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// The CPU time that a process has booked lately, piece by piece: others may still take its CPU.

#ifndef VIA_BOOKED_WORK_H
#define VIA_BOOKED_WORK_H

#include "ns3/via-span.h"
#include "ns3/via-time.h"

#include <algorithm>
#include <deque>

namespace ns3
{
namespace via
{

/**
 * @brief Pieces of work of one process, in order, that are booked and may not be over.
 *
 * A process books its work when it begins. What others take of its CPU meanwhile puts off the rest
 * of it, maybe to after the end of the run: then the last pieces are the ones that are not done.
 */
class BookedWork
{
  public:
    struct Piece
    {
        Stage stage;
        bool inKernel; ///< in a system call
        Ps booked;
        Ps missing{0}; ///< of what was booked at first: it had to stop, and may go on
    };

    /// @param comesFirst the others wait for this piece; else it follows them
    void Add(const Piece& piece, bool comesFirst)
    {
        if (m_pieces.size() == MOST)
        {
            m_pieces.pop_front();
        }
        m_pieces.insert(comesFirst ? m_pieces.begin() : m_pieces.end(), piece);
    }

    /// All is over but the last @p rest of the pieces.
    void KeepLast(Ps rest)
    {
        for (auto piece = m_pieces.rbegin(); piece != m_pieces.rend(); ++piece)
        {
            piece->booked = std::min(piece->booked, rest);
            rest -= piece->booked;
        }
        while (!m_pieces.empty() && m_pieces.front().booked == 0 && m_pieces.front().missing == 0)
        {
            m_pieces.pop_front();
        }
    }

    /// All pieces are over.
    void Clear()
    {
        m_pieces.clear();
    }

    /**
     * @brief The pieces take @p more than was known. Less than 0: the last ones are not done. After
     * that, more than 0: they go on.
     * @param note called with each piece that changes, and its change
     * @return what of it belongs to none of them
     */
    template <class Note>
    Ps Change(Ps more, Note note)
    {
        for (auto piece = m_pieces.rbegin(); more < 0 && piece != m_pieces.rend(); ++piece)
        {
            const Ps change = std::max(more, -piece->booked);
            piece->missing -= change;
            more -= Apply(*piece, change, note);
        }
        for (auto piece = m_pieces.begin(); more > 0 && piece != m_pieces.end(); ++piece)
        {
            const Ps change = std::min(more, piece->missing);
            piece->missing -= change;
            more -= Apply(*piece, change, note);
        }
        if (more > 0 && !m_pieces.empty())
        {
            more -= Apply(m_pieces.back(), more, note); // it takes longer
        }
        return more;
    }

  private:
    /// Pieces kept. A process that has run ahead by more does so because nothing can happen before.
    static constexpr std::size_t MOST = 256;

    template <class Note>
    static Ps Apply(Piece& piece, Ps change, Note& note)
    {
        if (change != 0)
        {
            piece.booked += change;
            note(piece, change);
        }
        return change;
    }

    std::deque<Piece> m_pieces;
};

} // namespace via
} // namespace ns3

#endif // VIA_BOOKED_WORK_H
