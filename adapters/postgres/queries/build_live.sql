SELECT name FROM projection_builds WHERE state = 'live'
