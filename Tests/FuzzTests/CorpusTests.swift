import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Everything that a fuzzer once found, and the seeds that it began with, goes through the readers
/// again.
@Suite struct CorpusTests {
  #if KYMOGRAPH_C
    private static let inThisProcess = FuzzTarget.allCases.filter { $0 != .calls }
  #else
    private static let inThisProcess = FuzzTarget.allCases
  #endif

  @Test(arguments: inThisProcess)
  func `every input of the corpus is taken without a crash`(target: FuzzTarget) throws {
    try takeCorpus(target)
  }

  #if KYMOGRAPH_C
    // In a process of their own, whose SQLite the library changes the locks of.
    @Test func `calls of the library for C in any order end no process and leave a healthy file`()
      async
    {
      await #expect(processExitsWith: .success) {
        try takeCorpus(.calls)
        var random = SplitMix(seed: 35)
        for _ in 0..<(TestRounds.asked ?? 1) * 20 {
          let bytes = (0..<random.next() % 400).map { _ in UInt8(truncatingIfNeeded: random.next())
          }
          FuzzTarget.calls.take(bytes)
        }
      }
    }
  #endif
}

private func takeCorpus(_ target: FuzzTarget) throws {
  let folder = fixture("corpus/\(target.rawValue)")
  let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  #expect(!names.isEmpty)
  for name in names {
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
    target.take(Array(data))
  }
}
