import Foundation
import PackagePlugin

/// Puts the texts of a target (scripts, style sheets, SQL, JSON) into the program as `PackageResources`.
///
/// A text is a file that is neither source nor excluded. SwiftPM's own `embedInCode` writes arrays of numbers, which cost
/// the compiler minutes; a string literal costs hundredths of a second.
@main
struct TextEmbedding: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    guard let files = target.sourceModule?.sourceFiles else { return [] }
    let texts = files.filter { $0.type == .unknown }.map(\.url)
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    let output = context.pluginWorkDirectoryURL.appending(path: "PackageResources.swift")
    return [
      .buildCommand(
        displayName: "Embedding the texts of \(target.name)",
        executable: try context.tool(named: "embed-text").url,
        arguments: [output.path] + texts.map(\.path), inputFiles: texts, outputFiles: [output])
    ]
  }
}
