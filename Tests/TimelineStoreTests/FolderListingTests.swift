import Foundation
import KymographCLibrary
import TestSupport
import Testing

@testable import TimelineStore

@Suite struct FolderListingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.url.path + "/" + name }

  /// Makes an empty file.
  private func make(_ name: String) throws {
    let file = try #require(fopen(path(name), "w"))
    fclose(file)
  }

  /// Moves the folder's last change an hour back, as of a folder that is only read.
  private func rest() {
    var times = [timespec(), timespec()]
    for index in times.indices { times[index].tv_sec = time(nil) - 3600 }
    utimensat(AT_FDCWD, folder.url.path, times, 0)
  }

  private func endings() -> [String] { FileFacts.endings(beside: path("run.kymo").utf8) }

  @Test func `a folder that is at rest is known, and listed again after a change`() throws {
    for name in ["run.kymo", "run.kymo-crash2", "other.kymo-crash1"] { try make(name) }
    rest()
    #expect(endings() == ["-crash2"])
    #expect(endings() == ["-crash2"])
    try make("run.kymo-crash1")
    #expect(endings() == ["-crash1", "-crash2"])
    unlink(path("run.kymo-crash2"))
    #expect(endings() == ["-crash1"])
  }

  @Test func `each of two folders has its own names`() throws {
    let other = try TemporaryFolder()
    try make("run.kymo-crash7")
    rest()
    #expect(endings() == ["-crash7"])
    #expect(FileFacts.endings(beside: (other.url.path + "/run.kymo").utf8) == [])
    #expect(endings() == ["-crash7"])
  }

  @Test func `a folder that is missing has no names`() {
    #expect(FileFacts.endings(beside: path("missing/run.kymo").utf8) == [])
  }
}
