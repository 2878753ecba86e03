import Foundation
import FuzzTargets
import TestSupport
import Testing

/// Everything that a fuzzer once found, and the seeds that it began with, goes through the readers
/// again.
@Suite struct CorpusTests {
  @Test(arguments: FuzzTarget.allCases)
  func `every input of the corpus is taken without a crash`(target: FuzzTarget) throws {
    let folder = fixture("corpus/\(target.rawValue)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(!names.isEmpty)
    for name in names {
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
      target.take(Array(data))
    }
  }
}
