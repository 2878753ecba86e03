../../ ../ KymographTests / FitSamplesOfAView.swift
