import Foundation
import TestSupport
import Testing

/// A name between double backticks is a link to a public symbol; the lists of public symbols have it.
@Suite struct ManualLinkTests {
  /// Every public symbol, as `Module.Type.member`.
  private static let symbols: Set<String> = {
    let lists = packageFolder.appendingPathComponent("Tools/public-symbols")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: lists.path)) ?? []
    return Set(
      files.flatMap { file in
        ((try? String(contentsOf: lists.appendingPathComponent(file), encoding: .utf8)) ?? "")
          .split(separator: "\n").map(String.init)
      })
  }()

  /// The modules that the catalog describes.
  private static let modules = Set(
    manualPages.filter { $0.path.contains("/Modules/") }.map(\.stem) + ["Kymograph"])

  @Test(arguments: manualPages)
  func `each name between double backticks is a public symbol that exists`(page: ManualPage) {
    #expect(Self.symbols.count > 1_000)
    // A page of a module writes the module's own names alone.
    let module = page.path.contains("/Modules/") ? page.stem + "." : nil
    for match in page.text.matches(of: /``([^`\n]+)``/) {
      let name = match.output.1.replacingOccurrences(of: "/", with: ".")
      let isKnown =
        Self.modules.contains(name) || Self.symbols.contains(name)
        || module.map { Self.symbols.contains($0 + name) } == true
      #expect(isKnown, "\(page): \(name)")
    }
  }
}

extension ManualPage {
  /// The file's name without `.md`.
  fileprivate var stem: String {
    String(path.split(separator: "/").last?.dropLast(3) ?? "")
  }
}
