/// The public names of each product, as `Tools/symbols` notes them beside this file.
package enum PublicNames {
  /// The lists, each with the product whose import brings its names: a name on each line, as `Module.Type.member`.
  package static let lists: [(product: String, bytes: [UInt8])] = [
    ("Kymograph", PackageResources.Kymograph_txt),
    ("KymographEngine", PackageResources.KymographEngine_txt),
    ("KymographAnalysis", PackageResources.KymographAnalysis_txt),
    ("KymographTesting", PackageResources.KymographTesting_txt),
    ("KymographUIKit", PackageResources.KymographUIKit_txt),
  ]
}
