/// The scripts that run beside a page which this program drives, in a world of their own.
package enum WebScript {
  /// The recorder, and what begins it and finds elements (`kymoPage`). This is the one place that chooses them.
  package static let driven =
    String(
      decoding: PackageResources.record_js + PackageResources.record_auto_js
        + PackageResources.watch_js,
      as: UTF8.self) + "\n//# sourceURL=\(drivenName)\n"
  /// The name of ``driven`` in a browser's traces.
  package static let drivenName = "kymo-recorder.js"
  /// The default of the recorder.
  package static let standardItems = "auto"
}
