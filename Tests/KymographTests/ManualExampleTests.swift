import Foundation
import TestSupport
import Testing

/// Swift in README and in the articles is a copy of a test source, so that it compiles and runs.
@Suite struct ManualExampleTests {
  @Test(arguments: manualPages)
  func `a page shows each example as it is compiled`(page: ManualPage) throws {
    var examples: [Int: String] = [:]
    for (number, block) in page.blocks.enumerated() where block.language == "swift" {
      let path = try #require(
        block.directive("example"), "line \(block.line): no test source is named")
      let source = try String(
        contentsOf: packageFolder.appendingPathComponent(path), encoding: .utf8)
      let begins = try #require(source.range(of: "// example begins\n"))
      let ends = try #require(source.range(of: "// example ends"))
      let compiled = source[begins.upperBound..<ends.lowerBound]
      examples[number] = String(compiled)
      #expect(writesManual || page.text[block.body] == compiled, "\(path)")
    }
    try page.write(examples)
  }
}
