import Foundation
import TestSupport
import Testing

@Suite struct ReadmeExampleTests {
  @Test(arguments: [
    ("record without the engine", "RecordWithoutTheEngine"),
    ("drive a transition", "DriveATransition"),
  ])
  func `the README shows each example as it is compiled here`(name: String, file: String) throws {
    let manual = try String(
      contentsOf: packageFolder.appendingPathComponent("README.md"), encoding: .utf8)
    let mark = try #require(
      manual.range(of: "<!-- example: \(name) -->\n```swift\n"))
    let shown = manual[mark.upperBound...]
    let shownEnd = try #require(shown.range(of: "```"))
    let source = try String(
      contentsOf: packageFolder.appendingPathComponent(
        "Tests/KymographTests/\(file).swift"), encoding: .utf8)
    let begins = try #require(source.range(of: "// example begins\n"))
    let ends = try #require(source.range(of: "// example ends"))
    #expect(shown[..<shownEnd.lowerBound] == source[begins.upperBound..<ends.lowerBound])
  }
}
