/// A module of an app's own by a plain name.
public let name = "Scenarios"
