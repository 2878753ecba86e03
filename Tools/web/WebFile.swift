/// A file of the browser recorder, as it lies beside this one and inside the program.
package struct WebFile: Hashable, Sendable {
  package let name: String
  package let bytes: [UInt8]

  /// All of them: each script as it is written, the same without what only a person reads, and the pad.
  package static let all = [
    WebFile(name: "record.js", bytes: PackageResources.record_js),
    WebFile(name: "record.min.js", bytes: PackageResources.record_min_js),
    WebFile(name: "record-auto.js", bytes: PackageResources.record_auto_js),
    WebFile(name: "record-auto.min.js", bytes: PackageResources.record_auto_min_js),
    WebFile(name: "record.html", bytes: PackageResources.record_html),
  ]
}
