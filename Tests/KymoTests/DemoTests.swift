import Foundation
import TestSupport
import Testing

/// `Tools/demo`, the first command of the README.
@Suite struct DemoTests {
  @Test func `each command that the demo shows runs, up to the page`() throws {
    let place = try Workplace()
    let demo = fixture("../../Tools/demo")
    // From another folder, whose path is the caller's.
    let run = try shell(
      "cd \"$2\" && KYMO=$kymo \"$1\" out", [demo, place.path(".")])
    #expect(run.code == 0, "\(run.output.suffix(600)) \(run.errors)")
    #expect(run.output.hasSuffix("Its report, for a browser: \(place.path("out/demo.html"))\n"))
    // A screen has 24 lines, and each step fits into one.
    let steps = run.output.components(separatedBy: "\n== ").dropFirst().map {
      $0.split(separator: "\n").prefix { $0 != "Try next:" }.count
    }
    #expect(steps.count == 4)
    #expect(steps.allSatisfy { $0 <= 24 }, "\(steps)")
    #expect(FileManager.default.fileExists(atPath: place.path("out/demo.html")))
    // What it names as the next steps runs, too.
    let next = run.output.split(separator: "\n").drop { $0 != "Try next:" }.dropFirst()
      .prefix { $0.hasPrefix("  ") }
    #expect(next.count == 3)
    for line in next {
      let words = line.drop { $0 == " " }.drop { $0 != " " }
      let code = try shell("kymo \(words)").code
      #expect(code == 0 || code == 1, "\(line)")
    }
  }
}
