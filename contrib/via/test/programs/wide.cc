/*
 * SPDX-License-Identifier: GPL-2.0-only
 */
// Wide characters of the standard streams and of a file.

#include <cstdio>
#include <cwchar>
#include <iostream>
#include <string>

int
main()
{
    std::printf("narrow\n");
    const int printed = std::wprintf(L"%ls %d\n", L"wide", 7);
    std::wcout << L"stream " << 8 << std::endl;
    std::wcerr << L"error" << std::endl;
    std::fputws(L"text", stdout);
    std::putwc(L'\n', stdout);
    std::printf("%d %d %d\n", printed, std::wprintf(L"\x20ac"), fwide(stdout, 1));
    std::wstring line;
    std::getline(std::wcin, line);
    wchar_t rest[8];
    std::wcout << line << L"|" << (std::fgetws(rest, 8, stdin) ? rest : L"nothing") << std::flush;
    std::FILE* file = std::tmpfile();
    std::fputws(L"file\n", file);
    std::rewind(file);
    std::wcout << std::fgetws(rest, 8, file) << std::flush;
    return std::fclose(file);
}
