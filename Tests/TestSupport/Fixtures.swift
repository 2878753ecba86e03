public import Foundation

/// The package's folder, found from this file's own place.
public let packageFolder = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The path of a file in `Tests/Fixtures`.
public func fixture(_ name: String) -> String {
  packageFolder.appendingPathComponent("Tests/Fixtures/\(name)").path
}
